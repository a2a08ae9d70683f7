from server.cli.columns import columns


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert columns([["a", "bb", "c"], ["aaa", "b", ""]]) == "a    bb  c\naaa  b"


def test_wide_signs_take_two_cells_and_combining_ones_none() -> None:
    assert columns([["電影", "x"], ["abcd", "x"], ["e\u0301", "x"]]) == (
        "電影  x\nabcd  x\ne\u0301     x"
    )


def test_cells_cannot_steer_the_terminal() -> None:
    assert columns([["a\x1b[2J\nb", "c"]]) == "a [2J b  c"
