"""The model, its backward pass and Adam in NumPy, written the usual way."""

from __future__ import annotations

import numpy as np
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
from worker import serve


class Training:
    """A run from a seed; `step` takes one step and returns the loss before it."""

    def __init__(self, seed: int) -> None:
        self.tree = initial(seed)
        self.m = {name: np.zeros_like(part) for name, part in self.tree.items()}
        self.v = {name: np.zeros_like(part) for name, part in self.tree.items()}
        self.tokens, self.targets, self.counts = batch()
        self.past = np.where(np.tril(np.ones((6, 6), bool)), 0, -np.inf).astype(np.float32)
        self.steps = 0
        self.best = np.zeros((100, 6), np.int64)

    def solved(self) -> int:
        """Problems solved at the parameters before the last step."""
        return solved(self.best)

    def norm(self, x, name):
        """LayerNorm; also what its backward rule needs."""
        centered = x - x.mean(-1, keepdims=True)
        rstd = 1 / np.sqrt((centered * centered).mean(-1, keepdims=True) + np.float32(1e-5))
        hat = centered * rstd
        return hat * self.tree[f"{name}.gain"] + self.tree[f"{name}.bias"], (hat, rstd, name)

    def norm_back(self, g, kept, into):
        """Gradient through LayerNorm."""
        hat, rstd, name = kept
        into[f"{name}.gain"] = (g * hat).sum((0, 1))
        into[f"{name}.bias"] = g.sum((0, 1))
        g = g * self.tree[f"{name}.gain"]
        return rstd * (g - g.mean(-1, keepdims=True) - hat * (g * hat).mean(-1, keepdims=True))

    def step(self) -> float:
        """Forward, backward, Adam."""
        p, n = self.tree, self.tokens.shape[1]
        x = p["TokenEmb"][self.tokens] + p["PosEmb"][:n]
        kept = []
        for layer in range(LAYERS):
            normed, norm1 = self.norm(x, f"{layer}.LN1")
            q, k, v = (
                (normed @ p[f"{layer}.{w}"]).reshape(100, n, HEADS, -1).swapaxes(1, 2)
                for w in ("WQ", "WK", "WV")
            )
            scores = q @ k.swapaxes(2, 3) / np.float32(2) + self.past
            e = np.exp(scores - scores.max(-1, keepdims=True))
            a = e / e.sum(-1, keepdims=True)
            h = (a @ v).swapaxes(1, 2).reshape(100, n, WIDTH)
            x = x + h @ p[f"{layer}.WO"]
            normed2, norm2 = self.norm(x, f"{layer}.LN2")
            u = normed2 @ p[f"{layer}.W1"] + p[f"{layer}.b1"]
            r = np.maximum(u, 0)
            x = x + r @ p[f"{layer}.W2"] + p[f"{layer}.b2"]
            kept.append((normed, norm1, q, k, v, a, h, normed2, norm2, u, r))
        final, norm_final = self.norm(x, "FinalLN")
        logits = final @ p["LM"]
        self.best = logits.argmax(-1)
        e = np.exp(logits - logits.max(-1, keepdims=True))
        probability = e / e.sum(-1, keepdims=True)
        rows, places = np.indices(self.targets.shape)
        total = self.counts.sum()
        loss = -(np.log(probability[rows, places, self.targets]) * self.counts).sum() / total
        g_logits = probability * self.counts[..., None]
        g_logits[rows, places, self.targets] -= self.counts
        g_logits /= total
        g: dict[str, np.ndarray] = {"LM": np.einsum("bnd,bnc->dc", final, g_logits)}
        gx = self.norm_back(g_logits @ p["LM"].T, norm_final, g)
        for layer in range(LAYERS - 1, -1, -1):
            normed, norm1, q, k, v, a, h, normed2, norm2, u, r = kept[layer]
            g[f"{layer}.W2"] = np.einsum("bnk,bnd->kd", r, gx)
            g[f"{layer}.b2"] = gx.sum((0, 1))
            gu = (gx @ p[f"{layer}.W2"].T) * (u > 0)
            g[f"{layer}.W1"] = np.einsum("bnd,bnk->dk", normed2, gu)
            g[f"{layer}.b1"] = gu.sum((0, 1))
            gx = gx + self.norm_back(gu @ p[f"{layer}.W1"].T, norm2, g)
            g[f"{layer}.WO"] = np.einsum("bnd,bne->de", h, gx)
            gh = (gx @ p[f"{layer}.WO"].T).reshape(100, n, HEADS, -1).swapaxes(1, 2)
            ga, gv = gh @ v.swapaxes(2, 3), a.swapaxes(2, 3) @ gh
            gs = a * (ga - (a * ga).sum(-1, keepdims=True)) / np.float32(2)
            g_normed = np.zeros_like(normed)
            for name, part in (("WQ", gs @ k), ("WK", gs.swapaxes(2, 3) @ q), ("WV", gv)):
                flat = part.swapaxes(1, 2).reshape(100, n, WIDTH)
                g[f"{layer}.{name}"] = np.einsum("bnd,bne->de", normed, flat)
                g_normed += flat @ p[f"{layer}.{name}"].T
            gx = gx + self.norm_back(g_normed, norm1, g)
        g["TokenEmb"] = np.zeros_like(p["TokenEmb"])
        np.add.at(g["TokenEmb"], self.tokens, gx)
        g["PosEmb"] = np.zeros_like(p["PosEmb"])
        g["PosEmb"][:n] = gx.sum(0)
        self.adam(g, float(loss))
        return float(loss)

    def adam(self, g: dict[str, np.ndarray], loss: float) -> None:
        """One update of every tensor."""
        self.steps += 1
        first, second = 1 - BETA1**self.steps, 1 - BETA2**self.steps
        for name, part in g.items():
            self.m[name] = BETA1 * self.m[name] + (1 - BETA1) * part
            self.v[name] = BETA2 * self.v[name] + (1 - BETA2) * part * part
            rate = step_size(loss, LM_RATE if name == "LM" else RATE)
            self.tree[name] -= rate * (self.m[name] / first) / (np.sqrt(self.v[name] / second) + EPSILON)


if __name__ == "__main__":
    serve(Training)
