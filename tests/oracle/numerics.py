"""How far a float32 result lies from the exact one, in units of its last place.

The reference is Python's ``math`` in float64: its error (below 1e-16 relative) is some 5e-9 of a
float32 unit in the last place, far below anything measured here.
"""

from __future__ import annotations

import math
import struct

FLOAT32_MAX = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
FLOAT32_TINY = 2.0**-126  # smallest normal
FLOAT32_DENORMAL = 2.0**-149  # smallest positive


def float32(value: float) -> float:
    """The float32 nearest to `value`, ties to even; ±inf beyond the range."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def ulp32(value: float) -> float:
    """The distance between neighbouring float32 numbers at a finite `value`."""
    if value == 0.0:
        return FLOAT32_DENORMAL
    exponent = math.frexp(abs(value))[1] - 1
    return max(2.0 ** (exponent - 23), FLOAT32_DENORMAL)


def ulp_error(got: float, exact: float) -> float:
    """|got − exact| in float32 units of the last place of `exact`; inf where only one is finite."""
    if math.isnan(got) or math.isnan(exact):
        return 0.0 if math.isnan(got) and math.isnan(exact) else math.inf
    if math.isinf(got) or math.isinf(float32(exact)):  # a result beyond float32 is infinity, and only that
        return 0.0 if got == float32(exact) else math.inf
    return abs(got - exact) / ulp32(exact)


def exp(value: float) -> float:
    """eˣ in float64, inf where float64 overflows."""
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def ln(value: float) -> float:
    """The natural logarithm in float64; −inf at ±0, NaN below zero and for NaN."""
    if value == 0.0:
        return -math.inf
    if value < 0.0 or math.isnan(value):
        return math.nan
    return math.log(value)
