"""The life of the check process: it greets, and then answers one question after another until its input ends.

It is started as a program, not with `multiprocessing`, which would run the user's ``__main__`` again.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from dataclasses import replace
from time import perf_counter

from cvlint.notebook.answers import Greeting


def serve() -> None:
    """Answer questions from standard input on standard output, both pickled."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the user interrupts a cell, not the check
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed gets among the answers
    from cvlint.knowledge.loader import load_prefilter_words
    from cvlint.notebook.checking import answer
    from cvlint.rules.comment_rules import all_rules
    from cvlint.workspace.file_check import shared_analysis

    shared_analysis()
    all_rules()
    words = {part: tuple(entries) for part, entries in load_prefilter_words().items()}
    pickle.dump(Greeting(words), answers)
    answers.flush()
    while True:
        try:
            question = pickle.load(questions)
            began = perf_counter()
            found = answer(question)
            pickle.dump(replace(found, seconds=perf_counter() - began), answers)
            answers.flush()
        except (EOFError, OSError):
            return
