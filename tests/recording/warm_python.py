"""A Python that has imported what scikit-learn imports, which takes seconds, and forks for each command that it reads.

A command is a line of JSON: the arguments of Python after ``-m``, the folder, and two files for the output. The answer
is a line with the exit status. The child imports scikit-learn itself, so that hooks on its import work as usual.
"""

import contextlib
import importlib
import json
import os
import runpy
import signal
import sys

for name in (
    "joblib",
    "pandas",
    "pyarrow",
    "narwhals.stable.v2",
    "scipy.stats",
    "scipy.sparse.linalg",
    "scipy.special",
):
    with contextlib.suppress(ModuleNotFoundError):  # scikit-learn 1.6 needs no narwhals
        importlib.import_module(name)
assert "sklearn" not in sys.modules
assert not any(name.startswith("cvlint") for name in sys.modules)

while line := sys.stdin.readline():
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()

command = json.loads(line)
signal.alarm(300)  # seconds, after which it is killed
os.chdir(command["folder"])
for number, path in enumerate((os.devnull, command["stdout"], command["stderr"])):
    opened = os.open(path, os.O_RDWR | os.O_CREAT)
    os.dup2(opened, number)
    os.close(opened)
module, *sys.argv[1:] = command["arguments"]
sys.path[0] = command["folder"]
runpy.run_module(module, run_name="__main__", alter_sys=True)
