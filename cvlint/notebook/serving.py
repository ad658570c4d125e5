"""The life of the check process: it greets, and then answers one question after another until its input ends.

It is started as a program, not with `multiprocessing`, which would run the user's ``__main__`` again.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from cvlint.notebook.answers import Greeting, Question

if TYPE_CHECKING:
    from cvlint.rules.catalogue import Rule


def serve() -> None:
    """Answer questions from standard input on standard output, both pickled."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the user interrupts a cell, not the check
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed gets among the answers
    from cvlint.knowledge.loader import load_prefilter_words
    from cvlint.notebook.checking import answer
    from cvlint.rules.catalogue import load_rules

    answer(first_question(load_rules()[0]))
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


def first_question(rule: Rule) -> Question:
    """The bad example of a rule as a notebook.

    The first check loads what the others need, and takes ten times as long as they do. A cell does not wait that long.
    """
    cells = [{"cell_type": "code", "source": rule.docs.bad}]
    data = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
    return Question(0, Path.cwd() / "notebook.ipynb", data, ("In [1]",), 80)
