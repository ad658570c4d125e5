"""The IPython extension: findings below the cells of a running notebook.

In go the cells that a kernel has run; out come displays below cells, with the number that a measured cell should have
given. The kernel itself keeps the cells and shows the findings; a process of its own checks them, so that the kernel
neither waits for a check nor carries its memory.
"""
