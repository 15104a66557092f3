"""Replies of embedding servers: one vector a text for sure, or an error that names what came instead."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pincite.models.embeddings import ReplyError, vectors_in

GOOD = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def reply(*pairs: tuple[Any, Any]) -> dict[str, Any]:
    return {"data": [{"index": index, "embedding": vector} for index, vector in pairs]}


def test_rows_stand_by_their_indexes_or_as_they_came() -> None:
    mixed = reply((2, GOOD[2]), (0, GOOD[0]), (1, GOOD[1]))
    assert vectors_in(mixed, 3).tolist() == GOOD
    assert vectors_in({"data": [{"embedding": row} for row in GOOD]}, 3).tolist() == GOOD
    assert vectors_in(reply((0, [1, 2])), 1).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (reply((0, GOOD[0]), (1, GOOD[1]), (1, GOOD[2])), "indexes 0 to 2 once each, got 1 2 times"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (3, GOOD[2])), "once each, got 3"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (-1, GOOD[2])), "once each, got -1"),
        (reply(("0", GOOD[0]), ("1", GOOD[1]), ("2", GOOD[2])), "got '0' of type str"),
        (reply((0.0, GOOD[0]), (1.0, GOOD[1]), (2.0, GOOD[2])), "got '0.0' of type float"),
        (reply((False, GOOD[0]), (True, GOOD[1]), (2, GOOD[2])), "of type bool"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (None, GOOD[2])), "of type NoneType"),
        ({"data": [*reply((0, GOOD[0]), (1, GOOD[1]))["data"], {"embedding": GOOD[2]}]}, "NoneType"),
        (reply((0, GOOD[0]), (1, GOOD[1])), "expected 3 vectors for 3 texts, got 2"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, GOOD[2]), (3, GOOD[2])), "3 texts, got 4"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, [1.0])), "vectors of 2 numbers, got 1, 2"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, [])), "vectors of 2 numbers, got 0, 2"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, "AACAPwAAAEA=")), "as a list of numbers, got str"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, ["1", "2"])), "got str in one: '1'"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, [True, 2])), "got bool in one"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, {"0": 1})), "got dict"),
        (reply((0, GOOD[0]), (1, GOOD[1]), (2, [[1.0, 2.0]])), "got list in one"),
        ({"data": GOOD}, "not a list of embeddings"),
        ({"data": None}, "not a list of embeddings"),
        ({}, "not a list of embeddings"),
        ([], "not a list of embeddings"),
        (None, "not a list of embeddings"),
        (reply((0, None), (1, None), (2, None)), "for each text, got none"),
    ],
)
def test_anything_else_gives_nothing(sent: Any, told: str) -> None:
    with pytest.raises(ReplyError) as caught:
        vectors_in(sent, 3, 2 if "numbers, got" in told else 0)
    assert told in str(caught.value)


def test_a_length_that_is_known_is_held() -> None:
    with pytest.raises(ReplyError, match="expected vectors of 3 numbers, got 2"):
        vectors_in(reply((0, [1.0, 2.0])), 1, 3)


def test_null_and_what_is_out_of_range_is_not_finite() -> None:
    rows = vectors_in(reply((0, None), (1, [None, 1.0]), (2, [1e300, 10**400])), 3, 2)
    assert np.isnan(rows[0]).all() and math.isnan(rows[1][0]) and np.isinf(rows[2]).all()
