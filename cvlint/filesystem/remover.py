"""A process that removes what another one leaves: it reads paths, and removes those that are there at the end.

`cvlint.filesystem.left_behind` runs this file alone, without the package, so that it starts in a few milliseconds.
"""

import os
import sys


def remove(path: bytes) -> None:
    """Remove a file or a folder, if it is there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil

            shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    for told in sys.stdin.buffer.read().split(b"\0")[:-1]:  # what is cut off is no path
        remove(told)
