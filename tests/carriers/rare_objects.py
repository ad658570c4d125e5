"""Objects of the project, and other things that a program fills while it loops and reads later.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many

RARE_OBJECT: tuple[Construct, ...] = (
    many(
        "data of a UserList",
        "box = Kept()",
        "box.append({v})",
        "{o} = box.data",
        "from collections import UserList\nclass Kept(UserList):\n    pass",
    ),
    many(
        "setter of a property",
        "box = Kept()",
        "box.last = {v}",
        "{o} = box.held",
        "class Kept:\n    def __init__(self):\n        self.held = []\n    @property\n    def last(self):\n"
        "        return self.held[-1]\n    @last.setter\n    def last(self, a):\n        self.held.append(a)",
    ),
    many(
        "shift operator",
        "box = Kept()",
        "box << {v}",
        "{o} = box.held",
        "class Kept:\n    def __init__(self):\n        self.held = []\n    def __lshift__(self, a):\n"
        "        self.held.append(a)\n        return self",
    ),
    many(
        "registry of subclasses",
        "box = Sink.kinds['Kept']",
        "box.put({v})",
        "{o} = box.held",
        "class Sink:\n    kinds = {}\n    def __init_subclass__(cls):\n        Sink.kinds[cls.__name__] = cls()\n"
        "class Kept(Sink):\n    def __init__(self):\n        self.held = []\n    def put(self, a):\n"
        "        self.held.append(a)",
    ),
    many(
        "positions of a class pattern",
        "box = []",
        "match Done({v}):\n    case Done(value):\n        box.append(value)",
        "{o} = box",
        "class Done:\n    __match_args__ = ('value',)\n    def __init__(self, value):\n        self.value = value",
    ),
    many(
        "pair of mutable defaults",
        "",
        "box = keep({v})",
        "{o} = box[0]",
        "def keep(a, held=([], [])):\n    held[0].append(a)\n    return held",
    ),
    many("text that grows", "box = ''", "box += f'{{{v}}},'", "{o} = [float(a) for a in box.rstrip(',').split(',')]"),
    many(
        "drained dict",
        "box = {{}}",
        "box[len(box)] = {v}",
        "{o} = []\nwhile box:\n    key, value = box.popitem()\n    {o}.append(value)",
    ),
    many(
        "wrapped function of unpacked arguments",
        "box = []",
        "box.append(same(*({v}, 1)))",
        "{o} = box",
        "def passing(f):\n    def inner(*args, **kwargs):\n        return f(*args, **kwargs)\n    return inner\n"
        "@passing\ndef same(a, b):\n    return a",
    ),
    many(
        "rows under the titles of a file",
        "file = open('v.csv', 'w', newline='')\nwriter = csv.writer(file)\nwriter.writerow(['k', 'value'])",
        "writer.writerow([1, {v}])",
        "file.close()\nwith open('v.csv') as file:\n    {o} = [float(row['value']) for row in csv.DictReader(file)]",
        "import csv",
    ),
)
