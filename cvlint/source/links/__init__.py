"""How the files of a project hang together: which import a file, and which write the data that it reads.

In go the path of a file, and the files of its project; out come the paths of those that it hangs together with.
"""
