from server.background.results import Setback


def test_a_setback_is_tried_again_and_told_by_the_task_unless_said_otherwise() -> None:
    setback = Setback("the disk is full")
    assert (setback.retry, setback.told) == (True, False)
