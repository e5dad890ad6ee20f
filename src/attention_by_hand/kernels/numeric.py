"""exp, ln and square root in float32, the same bits on every machine.

Platform libraries differ in the last bits of exp and log, so the project has its own:
range reduction to a small interval and a polynomial there. Square root and division are
exact by IEEE 754 and need no kernel. Polynomials: Cephes ``expf`` and ``logf`` (S. Moshier).
"""

import math

import numpy as np

ZERO = np.float32(0)
ONE = np.float32(1)
HALF = np.float32(0.5)
INFINITY = np.float32(np.inf)
NAN = np.float32(np.nan)

LOG2_E = np.float32(1.44269504)
#: ln 2 in two parts; the first has so few bits that n * LN2_HIGH is exact.
LN2_HIGH = np.float32(0.693359375)
LN2_LOW = np.float32(-2.12194440e-4)
#: Adding 1.5 * 2**23 rounds a float32 to a whole number and leaves it in the low bits.
ROUNDER = np.float32(12582912.0)
ROUNDER_BITS = np.int32(0x4B400000)
EXP_LOWEST = np.float32(-87.33654)
EXP_HIGHEST = np.float32(88.02969)

SQRT_HALF = np.float32(0.70710678)
SMALLEST_NORMAL = np.float32(1.17549435e-38)
TWO_23 = np.float32(8388608.0)


def exp(x: np.float32) -> np.float32:
    """e to the power x: exactly 0 below -87.33654, infinity above 88.02969, NaN for NaN."""
    result = exp_of_small(x)
    if x > EXP_HIGHEST:
        result = INFINITY
    return result


def exp_of_small(x: np.float32) -> np.float32:
    """The same for x up to 88.02969; softmax asks for no x above 0.

    The end is put right last, so that a loop over cells needs no branch.
    """
    shifted = x * LOG2_E + ROUNDER
    whole = shifted - ROUNDER
    r = x - whole * LN2_HIGH - whole * LN2_LOW
    p = np.float32(1.9875691500e-4)
    p = p * r + np.float32(1.3981999507e-3)
    p = p * r + np.float32(8.3334519073e-3)
    p = p * r + np.float32(4.1665795894e-2)
    p = p * r + np.float32(1.6666665459e-1)
    p = p * r + np.float32(5.0000001201e-1)
    p = p * r * r + r + ONE
    power = np.int32((np.float32(shifted).view(np.int32) - ROUNDER_BITS + np.int32(127)) << np.int32(23))
    result = p * np.int32(power).view(np.float32)
    if x < EXP_LOWEST:
        result = ZERO
    return result


def ln(x: np.float32) -> np.float32:
    """Natural logarithm: -infinity at 0, NaN below 0 and for NaN."""
    if x == ZERO:
        return -INFINITY
    if not x > ZERO:
        return NAN
    if x == INFINITY:
        return INFINITY
    e = ZERO
    if x < SMALLEST_NORMAL:
        x = x * TWO_23
        e = np.float32(-23)
    bits = np.float32(x).view(np.int32)
    e = e + np.float32(np.int32(bits >> np.int32(23)) - np.int32(126))
    m = np.int32((bits & np.int32(0x007FFFFF)) | np.int32(0x3F000000)).view(np.float32)
    if m < SQRT_HALF:
        e = e - ONE
        m = m + m
    m = m - ONE
    z = m * m
    p = np.float32(7.0376836292e-2)
    p = p * m - np.float32(1.1514610310e-1)
    p = p * m + np.float32(1.1676998740e-1)
    p = p * m - np.float32(1.2420140846e-1)
    p = p * m + np.float32(1.4249322787e-1)
    p = p * m - np.float32(1.6668057665e-1)
    p = p * m + np.float32(2.0000714765e-1)
    p = p * m - np.float32(2.4999993993e-1)
    p = p * m + np.float32(3.3333331174e-1)
    y = m * z * p
    y = y + e * LN2_LOW
    y = y - HALF * z
    return m + y + e * LN2_HIGH


def square_root(x: np.float32) -> np.float32:
    """Square root, correctly rounded. Rounding a float64 root to float32 is exact too."""
    return np.float32(math.sqrt(x))
