"""The project's own exp, ln and square root: close to the exact value everywhere, defined everywhere."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attention_by_hand.kernels import numeric
from oracle import numerics

F = np.float32
LOWEST, HIGHEST = float(numeric.EXP_LOWEST), float(numeric.EXP_HIGHEST)
# Measured once over every float32: exp is at most 0.992 units in the last place off, ln 0.834.
WORST_EXP, WORST_LN = 1.0, 0.85

positive = st.floats(min_value=0.0, exclude_min=True, max_value=numerics.FLOAT32_MAX, width=32)


def bits(value):
    return int(np.float32(value).view(np.uint32))


@given(st.floats(min_value=LOWEST, max_value=HIGHEST, width=32))
@example(LOWEST)
@example(HIGHEST)
@example(-81.39176177978516)  # the worst of all float32 inputs
@example(2.0**-149)
def test_exp_is_within_one_unit_in_the_last_place(x):
    got = float(numeric.exp(F(x)))
    error = numerics.ulp_error(got, numerics.exp(x))
    assert error < WORST_EXP, f"exp({x!r}) is {error:.3f} units in the last place off"


@given(positive)
@example(1.4130306243896484)  # the worst of all float32 inputs
@example(2.0**-149)
@example(numerics.FLOAT32_MAX)
def test_ln_is_within_one_unit_in_the_last_place(x):
    got = float(numeric.ln(F(x)))
    error = numerics.ulp_error(got, numerics.ln(x))
    assert error < WORST_LN, f"ln({x!r}) is {error:.3f} units in the last place off"


@given(st.floats(max_value=LOWEST, exclude_max=True, width=32))
@example(-math.inf)
def test_exp_far_below_is_exactly_zero(x):
    with np.errstate(all="ignore"):  # the polynomial overflows before its result is put right
        assert bits(numeric.exp(F(x))) == bits(0.0)


@given(st.floats(min_value=HIGHEST, exclude_min=True, width=32))
@example(math.inf)
def test_exp_far_above_is_infinity(x):
    with np.errstate(all="ignore"):
        assert float(numeric.exp(F(x))) == math.inf


def test_exp_stays_normal_where_it_is_not_zero():
    """Nothing between 0 and the smallest normal number: an engine that flushes denormals changes no bit."""
    assert float(numeric.exp(F(LOWEST))) >= numerics.FLOAT32_TINY


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_values_at_zero(zero):
    assert bits(numeric.exp(F(zero))) == bits(1.0)
    assert float(numeric.ln(F(zero))) == -math.inf


def test_values_at_one_and_infinity():
    assert bits(numeric.ln(F(1.0))) == bits(0.0)
    assert float(numeric.ln(F(math.inf))) == math.inf


@given(st.floats(max_value=0.0, exclude_max=True, width=32))
def test_ln_of_a_negative_number_is_no_number(x):
    assert math.isnan(numeric.ln(F(x)))


def test_no_number_stays_no_number():
    assert math.isnan(numeric.exp(F(math.nan)))
    assert math.isnan(numeric.ln(F(math.nan)))


@given(st.floats(min_value=-87.0, max_value=87.0, width=32))
def test_exp_never_decreases_by_more_than_its_error(x):
    above = float(np.nextafter(F(x), F(math.inf)))
    assert float(numeric.exp(F(above))) >= float(numeric.exp(F(x))) * (1 - 2.0**-22)


@given(positive)
@example(2.0**-149)
@example(numerics.FLOAT32_MAX)
def test_square_root_is_correctly_rounded(x):
    """In exact fractions: x lies between the squares of the midpoints to the neighbouring float32 numbers."""
    root = numeric.square_root(F(x))
    assert isinstance(root, np.float32)
    here, below, above = (
        Fraction(float(r)) for r in (root, np.nextafter(root, F(0)), np.nextafter(root, F(9e37)))
    )
    assert ((here + below) / 2) ** 2 <= Fraction(x) <= ((here + above) / 2) ** 2


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_square_root_of_zero(zero):
    assert bits(numeric.square_root(F(zero))) == bits(zero)
