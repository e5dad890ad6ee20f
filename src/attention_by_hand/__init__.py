"""A Transformer small enough to work out by hand, and every number in it.

>>> import attention_by_hand as abh
>>> run = abh.train(seed=1)
>>> run.model.generate("7×8=")
'56'
"""

from .checkpoint import load
from .errors import InputError
from .task import PROBLEMS, loss_floor
from .tokens import TOKENS
from .trained import Model
from .training import Record, Run, train

__version__ = "0.1.0"

__all__ = ["PROBLEMS", "TOKENS", "InputError", "Model", "Record", "Run", "load", "loss_floor", "train"]
