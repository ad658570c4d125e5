"""The fate ledger: what becomes of every measure of a loop, and of everything learned from whole data.

It is only kept when somebody asks for it (``cvlint trace``, ``cvlint audit``). The interpreter shows each value that it
has computed to a `FateRecorder`; nothing here changes a value. In go the expressions with their values; out comes, for
each *birth*, a `Journey` with the places where it ended: shown, written, returned, compared, never used, or lost.

- `births`: which values are followed, and which of them a value carries
- `recorder`: which births each expression carried, and what took them
- `syntax_map`: which expression or statement takes the value of an expression
- `calls`: what a call that takes a birth does with it
- `journeys`: where a birth ended
"""
