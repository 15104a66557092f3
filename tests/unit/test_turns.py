"""Turns of threads: nobody starves, nobody is alone beside another, and what cannot end is refused."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from pincite.errors import UsageError
from pincite.index.turns import Turns


def test_both_sides_get_their_turn_however_much_the_other_asks() -> None:
    turns, done = Turns(), Event()
    inside, guard = {"sharing": 0, "alone": 0}, Lock()

    def ask(kind: str) -> int:
        turn, had = getattr(turns, kind), 0
        while not done.is_set():
            with turn():
                with guard:
                    inside[kind] += 1
                    assert not (inside["alone"] and inside["sharing"]), "alone beside one that shares"
                time.sleep(0.001)
                with guard:
                    inside[kind] -= 1
            had += 1
        return had

    with ThreadPoolExecutor(5) as pool:
        asking = [pool.submit(ask, kind) for kind in ("sharing", "sharing", "sharing", "sharing", "alone")]
        time.sleep(0.5)
        done.set()
        had = [one.result(timeout=10) for one in asking]
    assert min(had) >= 5, f"somebody starved: {had}"


def test_a_turn_inside_one_of_the_same_thread_does_not_wait_for_one_that_waits_for_it() -> None:
    turns = Turns()
    with ThreadPoolExecutor(1) as pool:
        with turns.sharing():
            waiting = pool.submit(lambda: turns.alone().__enter__())
            time.sleep(0.05)
            with turns.sharing():
                assert not waiting.done()
        waiting.result(timeout=10)


def test_what_would_wait_for_itself_is_refused() -> None:
    turns = Turns()
    with turns.sharing(), pytest.raises(UsageError, match="while this thread asks"), turns.alone():
        pass
    with turns.alone(), pytest.raises(UsageError, match="while this thread changes"), turns.sharing():
        pass
    with turns.alone(), turns.alone():
        assert turns.inside
    assert not turns.inside


def test_what_can_be_renewed_is_let_go_of_between_those_that_share_it() -> None:
    events: list[str] = []
    old = Event()
    old.set()

    def let_go() -> None:
        events.append("let go")
        old.clear()

    turns = Turns(old.is_set, let_go)
    with turns.sharing():
        events.append("asked")
    with turns.sharing():
        events.append("asked")
    assert events == ["let go", "asked", "asked"]


def test_what_others_use_is_not_let_go_of_when_it_gets_old_just_then() -> None:
    """Between the look whether a thing is old and the next it may have become so."""
    looks = iter([False, False, True, True])
    let_go: list[int] = []
    turns = Turns(lambda: next(looks), lambda: let_go.append(1))
    inside, done = Event(), Event()

    def first() -> None:
        with turns.sharing():
            inside.set()
            done.wait(5)

    with ThreadPoolExecutor(1) as pool:
        shared = pool.submit(first)
        assert inside.wait(5)
        with turns.sharing():
            assert not let_go
        done.set()
        shared.result()
