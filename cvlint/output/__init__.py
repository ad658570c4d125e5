"""One module a format; each turns a report into text and touches nothing else."""
