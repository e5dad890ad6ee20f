"""How fast the work could be done: multiply-adds of a step, and the machine's peak rate.

The peak is that of the best inner loop of a matrix product in WebAssembly: 4 rows by 8 columns held in eight
SIMD registers, operands read from the cache, one multiply and one add for each vector of four.
"""

from __future__ import annotations

from pathlib import Path

from llvmlite import binding as llvm

from attention_by_hand.build import compiler
from attention_by_hand.kernels import attention, feedforward, linear
from attention_by_hand.model.layout import BASE, standard_layout
from attention_by_hand.model.table import Op

ROWS, VECTORS = 4, 2
#: Vectors of four that one round of the peak loop multiplies and adds.
PER_ROUND = ROWS * VECTORS
CELLS = 1024
#: Kernels that multiply a matrix [n, K] by one of J columns, n·K·J multiply-adds: labels of the two.
_PRODUCTS = {
    linear.product: ("a", "b"),
    linear.product_add: ("a", "b"),
    linear.affine: ("a", "b"),
    linear.weight_gradient: ("a", "g"),
    feedforward.hidden: ("x", "w"),
    feedforward.hidden_backward: ("g_out", "w_t"),
}


def multiply_adds() -> int:
    """Count the multiply-adds of one training step: products of matrices and of attention, nothing else."""
    layout = standard_layout()
    return sum(_count(op) for stage in ("forward", "backward") for op in layout.table.stages[stage])


def _count(op: Op) -> int:
    layout = standard_layout()
    shapes = {
        label: layout.place(name, "batch").shape
        for label, name in op.operands.items()
        if isinstance(name, str)
    }
    if op.kernel in _PRODUCTS:
        left, right = _PRODUCTS[op.kernel]
        (rows, inner), columns = shapes[left], shapes[right][1]
        return rows * inner * columns
    # A row at depth d reads d + 1 sources: a product of `width` numbers each, four on the way back.
    reads = sum((depth + 1) * count for depth, count in enumerate((10, 10, 100, 100, 100, 58)))
    once = reads * int(op.operands.get("width", 0))
    if op.kernel in (attention.scores, attention.mix):
        return once
    return 4 * once if op.kernel is attention.attention_backward else 0


def build_peak(target: Path) -> None:
    """Write the module with the peak loop: `multiply_adds(rounds)`."""
    sums = [(row, column) for row in range(ROWS) for column in range(VECTORS)]
    lines = []
    for row in range(ROWS):
        lines += [
            f"  %pa{row} = getelementptr float, ptr @cells, i64 %a{row}",
            f"  %x{row} = load float, ptr %pa{row}, align 4",
            f"  %i{row} = insertelement <4 x float> poison, float %x{row}, i32 0",
            f"  %s{row} = shufflevector <4 x float> %i{row}, <4 x float> poison, <4 x i32> zeroinitializer",
        ]
    for column in range(VECTORS):
        lines += [
            f"  %pb{column} = getelementptr float, ptr @cells, i64 %b{column}",
            f"  %y{column} = load <4 x float>, ptr %pb{column}, align 4",
        ]
    for row, column in sums:
        lines += [
            f"  %m{row}_{column} = fmul <4 x float> %s{row}, %y{column}",
            f"  %n{row}_{column} = fadd <4 x float> %t{row}_{column}, %m{row}_{column}",
        ]
    phis = [
        f"  %t{row}_{column} = phi <4 x float> [ zeroinitializer, %entry ], [ %n{row}_{column}, %loop ]"
        for row, column in sums
    ]
    places = [f"  %a{row} = add i64 %at, {row * 8}" for row in range(ROWS)]
    places += [f"  %b{column} = add i64 %at, {512 + 4 * column}" for column in range(VECTORS)]
    ends = []
    for number, (row, column) in enumerate(sums):
        ends += [
            f"  %e{number} = getelementptr <4 x float>, ptr @cells, i64 {number}",
            f"  store <4 x float> %n{row}_{column}, ptr %e{number}, align 4",
        ]
    text = "\n".join(
        [
            f"@cells = global [{CELLS} x float] zeroinitializer, align 64",
            "define void @multiply_adds(i32 %rounds) {",
            "entry:",
            "  br label %loop",
            "loop:",
            "  %k = phi i32 [ 0, %entry ], [ %next, %loop ]",
            *phis,
            "  %low = and i32 %k, 63",
            "  %at = zext i32 %low to i64",
            *places,
            *lines,
            "  %next = add i32 %k, 1",
            "  %more = icmp ult i32 %next, %rounds",
            "  br i1 %more, label %loop, label %end",
            "end:",
            *ends,
            "  ret void",
            "}",
        ]
    )
    module = llvm.parse_assembly(text)
    compiler.link(compiler.optimise(module, {"multiply_adds"}), ["multiply_adds"], BASE, target)
