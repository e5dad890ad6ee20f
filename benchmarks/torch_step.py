"""The model in PyTorch, eager mode, written the usual way."""

from __future__ import annotations

import torch
from problem import (
    BETA1,
    BETA2,
    EPSILON,
    HEADS,
    LAYERS,
    LM_RATE,
    RATE,
    WIDTH,
    batch,
    initial,
    solved,
    step_size,
)
from torch.nn import functional
from worker import serve


class Training:
    """A run from a seed; `step` takes one step and returns the loss before it."""

    def __init__(self, seed: int) -> None:
        self.tree = {name: torch.tensor(part, requires_grad=True) for name, part in initial(seed).items()}
        tokens, targets, counts = batch()
        self.tokens, self.targets = torch.tensor(tokens), torch.tensor(targets)
        self.counts = torch.tensor(counts)
        rest = [part for name, part in self.tree.items() if name != "LM"]
        groups = [{"params": rest}, {"params": [self.tree["LM"]]}]
        self.optimizer = torch.optim.Adam(groups, RATE, (BETA1, BETA2), EPSILON)
        self.best = torch.zeros_like(self.targets)

    def solved(self) -> int:
        """Problems solved at the parameters before the last step."""
        return solved(self.best.numpy())

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        """LayerNorm."""
        return functional.layer_norm(x, (WIDTH,), self.tree[f"{name}.gain"], self.tree[f"{name}.bias"], 1e-5)

    def logits(self) -> torch.Tensor:
        """Forward pass."""
        p, (rows, n) = self.tree, self.tokens.shape
        x = p["TokenEmb"][self.tokens] + p["PosEmb"][:n]
        for layer in range(LAYERS):
            normed = self.norm(x, f"{layer}.LN1")
            q, k, v = (
                (normed @ p[f"{layer}.{name}"]).view(rows, n, HEADS, -1).transpose(1, 2)
                for name in ("WQ", "WK", "WV")
            )
            heads = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + heads.transpose(1, 2).reshape(rows, n, WIDTH) @ p[f"{layer}.WO"]
            normed = self.norm(x, f"{layer}.LN2")
            hidden = functional.relu(normed @ p[f"{layer}.W1"] + p[f"{layer}.b1"])
            x = x + hidden @ p[f"{layer}.W2"] + p[f"{layer}.b2"]
        return self.norm(x, "FinalLN") @ p["LM"]

    def step(self) -> float:
        """Forward, backward, Adam."""
        logits = self.logits()
        each = functional.cross_entropy(logits.flatten(0, 1), self.targets.flatten(), reduction="none")
        loss = (each * self.counts.flatten()).sum() / self.counts.sum()
        self.optimizer.zero_grad()
        loss.backward()
        value = loss.item()
        for group, rate in zip(self.optimizer.param_groups, (RATE, LM_RATE), strict=True):
            group["lr"] = step_size(value, rate)
        self.optimizer.step()
        self.best = logits.detach().argmax(-1)
        return value


if __name__ == "__main__":
    torch.set_num_threads(1)
    serve(Training)
