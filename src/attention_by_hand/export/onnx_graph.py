"""The forward pass as an ONNX graph: token ids in; logits, P and the pattern A of every head out.

Inner names are the ledger's, so that every node of the graph can be looked up. The length is free, 1 to 16.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoint import write_whole
from ..model.layout import standard_layout
from ..model.sizes import Sizes
from ..tokens import TOKENS
from ..trained import Model
from .files import LeftOverError, needed

#: The first opset with LayerNormalization; its files run in every ONNX Runtime since 1.14.
OPSET = 17
IR_VERSION = 8


def outputs(sizes: Sizes) -> list[str]:
    """Names of the graph's outputs, ledger names all."""
    heads = [f"layer{i}.head{h}.A" for i in range(1, sizes.layers + 1) for h in range(1, sizes.heads + 1)]
    return ["logits", "P", *heads]


class _Graph:
    """Nodes and constants as they are added; values are known by name."""

    def __init__(self, helper: Any) -> None:
        self.helper = helper
        self.nodes: list[Any] = []
        self.constants: dict[str, np.ndarray[Any, Any]] = {}

    def add(self, kind: str, operands: Iterable[str], results: str | list[str], **settings: Any) -> None:
        """Append a node."""
        names = [results] if isinstance(results, str) else results
        self.nodes.append(self.helper.make_node(kind, list(operands), names, names[0], **settings))

    def whole(self, name: str, *numbers: int) -> str:
        """A constant of whole numbers."""
        self.constants[name] = np.array(numbers, np.int64)
        return name


def _attention(graph: _Graph, sizes: Sizes, at: str) -> None:
    heads = range(1, sizes.heads + 1)
    for name in ("Q", "K", "V"):
        graph.add("MatMul", (at + "X_norm", f"{at}W{name}"), at + name)
        graph.add("Split", (at + name, "head.widths"), [f"{at}head{h}.{name}" for h in heads], axis=1)
    for h in heads:
        head = f"{at}head{h}."
        graph.add("Transpose", [head + "K"], head + "K.T", perm=[1, 0])
        graph.add("MatMul", (head + "Q", head + "K.T"), head + "Q·K")
        graph.add("Div", (head + "Q·K", "root"), head + "Q·K/root")
        graph.add("Add", (head + "Q·K/root", "mask"), head + "S")
        graph.add("Softmax", [head + "S"], head + "A", axis=1)
        graph.add("MatMul", (head + "A", head + "V"), head + "H")
    graph.add("Concat", [f"{at}head{h}.H" for h in heads], at + "H", axis=1)
    graph.add("MatMul", (at + "H", at + "WO"), at + "AttnOut")
    graph.add("Add", (at + "X_in", at + "AttnOut"), at + "X_mid")


def _feedforward(graph: _Graph, at: str) -> None:
    graph.add("MatMul", (at + "X_mid_norm", at + "W1"), at + "X_mid_norm·W1")
    graph.add("Add", (at + "X_mid_norm·W1", at + "b1"), at + "U")
    graph.add("Relu", [at + "U"], at + "R")
    graph.add("MatMul", (at + "R", at + "W2"), at + "R·W2")
    graph.add("Add", (at + "R·W2", at + "b2"), at + "FFNOut")
    graph.add("Add", (at + "X_mid", at + "FFNOut"), at + "X_out")


def _norm(graph: _Graph, sizes: Sizes, x: str, at: str, out: str) -> None:
    epsilon = sizes.recipe.norm_epsilon
    graph.add("LayerNormalization", (x, f"{at}.gain", f"{at}.bias"), out, axis=1, epsilon=epsilon)


def _forward(graph: _Graph, sizes: Sizes) -> None:
    graph.add("Shape", ["token"], "n")
    graph.add("Concat", ["n", "n"], "n,n", axis=0)
    minus_infinity = graph.helper.make_tensor("minus_infinity", 1, [1], [float("-inf")])
    graph.add("ConstantOfShape", ["n,n"], "closed", value=minus_infinity)
    # Row i may read the sources 0 … i: −∞ above the diagonal, 0 elsewhere.
    graph.add("Trilu", ["closed", graph.whole("first_future", 1)], "mask", upper=1)
    graph.add("Slice", ["PosEmb", graph.whole("zero", 0), "n"], "PosEmb[:n]")
    graph.add("Gather", ("TokenEmb", "token"), "TokenEmb[token]", axis=0)
    graph.add("Add", ("TokenEmb[token]", "PosEmb[:n]"), "layer1.X_in")
    graph.whole("head.widths", *[sizes.d_head] * sizes.heads)
    graph.constants["root"] = np.array(sizes.root, np.float32)
    for number in range(1, sizes.layers + 1):
        at = f"layer{number}."
        if number > 1:
            graph.add("Identity", [f"layer{number - 1}.X_out"], at + "X_in")
        _norm(graph, sizes, at + "X_in", at + "LN1", at + "X_norm")
        _attention(graph, sizes, at)
        _norm(graph, sizes, at + "X_mid", at + "LN2", at + "X_mid_norm")
        _feedforward(graph, at)
    _norm(graph, sizes, f"layer{sizes.layers}.X_out", "FinalLN", "Final")
    graph.add("MatMul", ("Final", "LM"), "logits")
    graph.add("Softmax", ["logits"], "P", axis=1)


def contents(model: Model) -> bytes:
    """The ONNX file.

    Parameters
    ----------
    model
        What to write.

    Raises
    ------
    InputError
        The package onnx is not installed.
    """
    onnx = needed("onnx", "onnx")
    helper, numpy_helper, kinds = onnx.helper, onnx.numpy_helper, onnx.TensorProto
    table = standard_layout().table
    sizes = table.sizes
    graph = _Graph(helper)
    _forward(graph, sizes)
    constants = {name: model.parameter(name) for name in table.parameters} | graph.constants
    shapes: dict[str, list[str | int]] = {name: ["n", "n"] for name in outputs(sizes)}
    shapes |= {"logits": ["n", sizes.vocabulary], "P": ["n", sizes.vocabulary]}
    whole = helper.make_graph(
        graph.nodes,
        "attention-by-hand",
        [helper.make_tensor_value_info("token", kinds.INT64, ["n"])],
        [helper.make_tensor_value_info(name, kinds.FLOAT, shape) for name, shape in shapes.items()],
        [numpy_helper.from_array(cells, name) for name, cells in constants.items()],
    )
    file = helper.make_model(
        whole,
        producer_name="attention-by-hand",
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    known = {
        "tokens": json.dumps(TOKENS, ensure_ascii=False),
        "seed": "" if model.seed is None else str(model.seed),
        "step": str(model.step),
        "digest": model.digest,
    }
    helper.set_model_props(file, known)
    content: bytes = file.SerializeToString()
    _check(onnx, model, content, set(graph.constants))
    return content


def _check(onnx: Any, model: Model, content: bytes, others: set[str]) -> None:
    """Read the file back: a valid graph, our parameters with the same bits, no tensor that nothing reads."""
    file = onnx.load_from_string(content)
    onnx.checker.check_model(file, full_check=True)
    held = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in file.graph.initializer}
    for name in standard_layout().table.parameters:
        if held.pop(name).tobytes() != model.parameter(name).tobytes():
            raise LeftOverError(f"{name} does not come back with the same bits")
    if set(held) != others:
        raise LeftOverError(f"left over: {', '.join(set(held) ^ others)}")
    read = {name for node in file.graph.node for name in node.input}
    unread = [tensor.name for tensor in file.graph.initializer if tensor.name not in read]
    if unread:
        raise LeftOverError(f"no node reads {', '.join(unread)}")


def write(model: Model, path: Path, overwrite: bool = False) -> None:
    """Write the file.

    Parameters
    ----------
    model
        What to write.
    path
        The file.
    overwrite
        Whether a file that is there may be replaced.

    Raises
    ------
    InputError
        The package onnx is not installed, or the file cannot be written.
    """
    write_whole(path, contents(model), overwrite)
