"""This project in Python: kernel.wasm under wasmtime."""

from __future__ import annotations

from worker import serve

from attention_by_hand.runtime import Kernel


class Training:
    """A run from a seed; `step` takes one step and returns the loss before it."""

    def __init__(self, seed: int) -> None:
        self.kernel = Kernel()
        self.kernel.call("initialize", seed)
        self.loss, self.count = self.kernel.view("Loss"), self.kernel.view("solved.count")

    def step(self) -> float:
        """Take one step."""
        self.kernel.call("train_step")
        return float(self.loss[0])

    def solved(self) -> int:
        """Problems solved at the parameters before the last step."""
        return int(self.count[0])


if __name__ == "__main__":
    serve(Training)
