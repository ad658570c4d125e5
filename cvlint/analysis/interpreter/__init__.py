"""Execute the statements and evaluate the expressions of a file on abstract values.

In goes a parsed module; out come the events of all its code. `driver` is the entry. It runs `statements` (`loops`,
`assignments`, `imports`, `patterns`), and these ask for values: `expressions` (`arithmetic`, `texts`), `calls` with
function summaries (`parameters`), and classes with their `objects`.
"""
