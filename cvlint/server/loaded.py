"""What every check in the server needs is loaded when this module is: processes then start as copies of that."""

from cvlint.server.check_processes import prepare

prepare()
