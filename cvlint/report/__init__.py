"""Pictures and pages of evaluations; to draw or write one needs the extra ``cvlint[report]``."""
