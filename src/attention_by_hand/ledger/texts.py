"""What each entry is, in English and Chinese, its symbol, and its name in other libraries.

Keys are local names: without ``layer1.``, ``head2.``, ``grad.``, ``adam.m.``, ``next.`` in front.
"""

from .text import Text
from .texts_computed import COMPUTED
from .texts_given import GIVEN

__all__ = ["TEXTS", "Text"]

TEXTS: dict[str, Text] = GIVEN | COMPUTED
