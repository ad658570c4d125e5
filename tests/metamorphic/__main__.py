"""Write down which findings are lost by the changes, and print how many: ``python -m tests.metamorphic``."""

from __future__ import annotations

from tests.metamorphic.test_changes import CHANGES, LOST, lost_by

if __name__ == "__main__":
    found: list[str] = []
    for change in CHANGES:
        lost, total = lost_by(change)
        found += lost
        print(f"{change}: {total - len(lost)} of {total} findings stay ({1 - len(lost) / total:.1%})")
    LOST.write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")
