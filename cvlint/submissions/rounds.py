"""Audit all repositories of a list, in rounds: what fails for a reason that may pass is tried again at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cvlint.submissions.crews import Crew, CrewGoneError
from cvlint.submissions.listed import Repository
from cvlint.submissions.record import Outcome, failure, record
from cvlint.workspace.workers import Lost


def audit_all(
    repositories: Sequence[Repository],
    crew: Crew,
    spare: Crew,
    retries: int,
    on_crew_gone: Callable[[str], None],
) -> Iterator[tuple[Repository, Outcome]]:
    """Audit repositories; yield the outcome of each as soon as it is there.

    Parameters
    ----------
    repositories : sequence of Repository
        What is audited.
    crew : Crew
        Who does it.
    spare : Crew
        Who does the rest if the crew is gone.
    retries : int
        How often a repository is tried again whose process ended, or whose audit failed for another reason than the
        repository itself. Then nothing else is at hand, so that no repository fails because of another one.
    on_crew_gone : callable
        Called once if the crew is gone, with a clause that says what is gone.
    """
    waiting = list(repositories)
    for attempt in range(retries + 1):
        again: list[Repository] = []
        left = dict(enumerate(waiting))
        while left:
            numbers = list(left)
            try:
                for at, found in crew(record, [left[number] for number in numbers], attempt > 0):
                    repository = left.pop(numbers[at])
                    outcome = _lost(repository, found) if isinstance(found, Lost) else found
                    if outcome.may_pass and attempt < retries:
                        again.append(repository)
                    else:
                        yield repository, outcome
            except CrewGoneError as error:
                on_crew_gone(str(error))
                crew = spare
        waiting = again


def _lost(repository: Repository, found: Lost) -> Outcome:
    reason = found.reason[:1].upper() + found.reason[1:].rstrip(".")
    return failure(repository, f"{reason}.", may_pass=True)
