"""Argument types of the kernels; the build reads these annotations."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

#: float32 ``[rows, columns]``, row after row without gaps.
Matrix = Annotated[NDArray[np.float32], 2]
#: float32 ``[length]``.
Vector = Annotated[NDArray[np.float32], 1]
#: uint32 ``[length]``: token ids, positions, node numbers.
Ids = Annotated[NDArray[np.uint32], 1]
#: uint32 ``[rows, columns]``.
IdMatrix = Annotated[NDArray[np.uint32], 2]
#: One float32.
Real = np.float32
#: One whole number, known when the module is built.
Whole = int
