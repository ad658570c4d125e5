"""Pictures and pages of evaluations; needs the extra ``cvlint[report]``."""
