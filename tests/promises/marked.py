"""Which tests say of themselves that they stand for a promise, read from their source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Marked:
    """A test's node id, and the promise its mark names."""

    test: str
    promise: str
    control: bool


@cache
def marked() -> tuple[Marked, ...]:
    """Every mark in every test module."""
    return tuple(each for path in sorted(TESTS.rglob("test_*.py")) for each in _in_module(path))


def _in_module(path: Path) -> Iterator[Marked]:
    module = path.relative_to(TESTS.parent).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.promise":
                    control = any(word.arg == "control" for word in call.keywords)
                    name = ast.literal_eval(call.args[0])
                    yield Marked(f"{module}::{node.name}", name, control)
