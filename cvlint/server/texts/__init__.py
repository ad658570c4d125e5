"""The texts that are open in an editor.

In go the open texts of the protocol; out come scripts and notebooks as a check reads them, and positions in them.
"""
