"""The yardstick of the float32 kernels, against values known by definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import numerics


@given(st.floats(min_value=-(2.0**127), max_value=2.0**127, width=32))
def test_unit_in_the_last_place_is_numpys_spacing(value):
    assert numerics.ulp32(value) == abs(float(np.spacing(np.float32(value))))


@given(st.floats(allow_nan=False))
def test_rounding_is_numpys(value):
    with np.errstate(over="ignore"):
        assert numerics.float32(value) == float(np.float32(value))


@pytest.mark.parametrize(
    ("got", "exact", "error"),
    [
        (1.0, 1.0, 0.0),
        (1.0 + 2**-23, 1.0, 1.0),
        (math.inf, 1e39, 0.0),
        (math.inf, 1.0, math.inf),
        (1.0, math.inf, math.inf),
        (math.nan, math.nan, 0.0),
        (math.nan, 1.0, math.inf),
        (0.0, 2.0**-149, 1.0),
        (-0.0, 0.0, 0.0),
    ],
)
def test_error_in_units_of_the_last_place(got, exact, error):
    assert numerics.ulp_error(got, exact) == error


def test_logarithm_at_the_edges():
    assert numerics.ln(0.0) == numerics.ln(-0.0) == -math.inf
    assert math.isnan(numerics.ln(-1.0))
    assert math.isnan(numerics.ln(math.nan))
    assert numerics.ln(math.inf) == math.inf
    assert numerics.exp(1e9) == math.inf
    assert numerics.exp(-math.inf) == 0.0
