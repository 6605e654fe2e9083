"""kill -9 loses nothing. The fifty-kill run is `python bench/kill.py`."""

from bench.kill import run


def test_kill_nine_loses_nothing_and_breaks_no_pause() -> None:
    figures = run(kills=5, pages=150, hosts=6, delay_s=0.1, seed=7)
    assert figures["reason"] == "nothing left to follow"
    lost = ("never_fetched", "not_recorded", "recorded_twice", "forms_doubled", "asked_early")
    assert {name: figures[name] for name in lost} == dict.fromkeys(lost, 0)
    assert figures["forms_recorded"] == figures["forms_expected"]
