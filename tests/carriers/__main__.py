"""Print how many findings stay, with every construct beside every base: ``python -m tests.carriers``."""

from __future__ import annotations

from collections import Counter

from tests.carriers.programs import programs
from tests.carriers.test_carriers import found

if __name__ == "__main__":
    lost, all_of, loud, right = Counter[str](), Counter[str](), 0, 0
    for program in programs(crossed=True):
        rules = found(program)
        if program.rule is None:
            right, loud = right + 1, loud + bool(rules)
        else:
            all_of[program.construct] += 1
            lost[program.construct] += program.rule not in rules
    for construct, number in lost.most_common():
        if number:
            print(f"{number} of {all_of[construct]} lost: {construct}")
    stay, faulty = all_of.total() - lost.total(), all_of.total()
    print(
        f"{stay} of {faulty} findings stay ({stay / faulty:.1%}); {right - loud} of {right} right programs are silent."
    )
