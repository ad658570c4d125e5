"""A Python that has loaded cvlint, which takes longer than what most commands do, and forks for each command it reads.

A command is a line of JSON: some code to run first, the arguments of cvlint, the folder, a pipe for the errors, and the
greatest number of bytes of a file, or null. The answer is a line of JSON: the exit status, and whether a process that
the command has started still runs a few seconds after its end.
"""

import ctypes
import json
import os
import resource
import signal
import sys
import time

from cvlint.cli import main
from cvlint.cli.check import plan  # noqa: F401
from cvlint.cli.commands.code import check, run  # noqa: F401
from cvlint.fixes import fixer  # noqa: F401
from cvlint.output.findings import text  # noqa: F401
from cvlint.recording import captures, measured_findings  # noqa: F401
from cvlint.recording.hooks import install  # noqa: F401
from cvlint.rules.comment_rules import all_rules
from cvlint.workspace.file_check import shared_analysis

PR_SET_CHILD_SUBREAPER = 36
if sys.platform == "linux":  # orphans become children of this process, so that their ends are seen
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def has_orphans(group: int) -> bool:
    """Whether processes of an ended command still run after some seconds; those of its group are killed then."""
    for _ in range(300):
        if not has_children() and not has_members(group):
            return False
        time.sleep(0.01)
    if has_members(group):
        os.killpg(group, signal.SIGKILL)
    return True


def has_children() -> bool:
    """Whether a child runs, an orphan of a command, too: also one that has left the group."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def has_members(group: int) -> bool:
    """Whether a process of a group runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


all_rules()
shared_analysis()

while line := sys.stdin.readline():
    command = json.loads(line)
    stderr = os.open(command["stderr"], os.O_WRONLY)
    child = os.fork()
    if not child:
        break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(stderr)
    print(json.dumps([status, has_orphans(child)]), flush=True)
else:
    sys.exit()

os.setsid()
signal.alarm(60)  # seconds, after which it is killed
sys.dont_write_bytecode = True  # else a limit stops the import of a module
os.chdir(command["folder"])
for number in (0, 1):
    os.dup2(os.open(os.devnull, os.O_RDWR), number)
os.dup2(stderr, 2)
if command["limit"] is not None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (command["limit"], resource.RLIM_INFINITY))
exec(command["first"])
main(command["arguments"])
