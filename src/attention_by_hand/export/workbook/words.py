"""What the workbook says, in both languages. ``{}`` are filled in."""

from __future__ import annotations

LANGUAGES = ("en", "zh")

#: Names of the sheets; Excel takes 31 characters and none of ``[]:*?/\\``.
SHEETS: dict[str, dict[str, str]] = {
    "en": {
        "front": "Read me",
        "prompt": "Prompt",
        "parameters": "Parameters",
        "embedding": "Embedding",
        "attention": "Layer {} attention",
        "feedforward": "Layer {} feed-forward",
        "output": "Output",
        "parts": "Logits by part",
        "circuits": "QK and OV",
        "back": "Back - {}",
        "gradients": "Parameter gradients",
        "check": "Check",
    },
    "zh": {
        "front": "说明",
        "prompt": "输入",
        "parameters": "参数",
        "embedding": "嵌入",
        "attention": "第{}层 注意力",
        "feedforward": "第{}层 前馈",
        "output": "输出",
        "parts": "logits 的组成",
        "circuits": "QK 与 OV",
        "back": "反向 {}",
        "gradients": "参数的梯度",
        "check": "核对",
    },
}

#: One sentence a sheet.
ABOUT: dict[str, dict[str, str]] = {
    "en": {
        "prompt": "The tokens that are read, and the token that should come next. Yellow cells can be changed.",
        "parameters": "Every number that training changes. Change one and watch the sheets that follow.",
        "embedding": "Token row plus position row: where every position starts.",
        "attention": "Rows exchange: scores S, reading proportions A, what is gathered H, written back.",
        "feedforward": "Each row is worked on alone: 8 numbers to 64, negative ones to 0, back to 8.",
        "output": "The last row of numbers meets the output matrix: logits, probabilities, loss.",
        "parts": "The logits as a sum of what each part of the model adds, FinalLN's scale held as it is.",
        "circuits": "Each head folded into two 8×8 matrices: who is read (QK), what is written (OV).",
        "back": "How the loss changes when a number of this stage grows a little.",
        "gradients": "The gradient of every parameter, laid out like the sheet of the parameters.",
    },
    "zh": {
        "prompt": "模型读到的词元，以及应该接在后面的词元。黄色的格子可以改。",
        "parameters": "训练会改动的全部数。改一个，看后面各张表怎样变。",
        "embedding": "词元那一行加上位置那一行：每个位置的起点。",
        "attention": "各行互相交换：得分 S，读取比例 A，收集到的 H，再写回去。",
        "feedforward": "每一行单独加工：8 个数变 64 个，负数变 0，再变回 8 个。",
        "output": "最后的一行数去乘输出矩阵：logits、概率、损失。",
        "parts": "logits 拆成模型各部分加进来的量之和，FinalLN 的缩放保持不变。",
        "circuits": "每个头折成两个 8×8 的矩阵：读谁（QK），写什么（OV）。",
        "back": "这一步的某个数增大一点点，损失怎样变。",
        "gradients": "每个参数的梯度，排法和参数那张表一样。",
    },
}

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "title": "attention-by-hand: every number of one prompt, as live formulas",
        "prompt": "Prompt",
        "target": "Target",
        "no target": "none: no loss and no gradients in this workbook",
        "seed": "Seed",
        "unknown": "unknown",
        "step": "Training steps taken",
        "digest": "Digest of the parameters",
        "answer": "Most likely next token",
        "its P": "Its probability",
        "target P": "Probability of the target",
        "loss": "Loss, −ln P(target)",
        "difference": "Largest difference from the kernel*",
        "sheets": "Sheets",
        "how": "How to read it",
        "all P": "Probability of each token as the next one",
        "token": "text",
        "id": "id",
        "masked": "masked",
        "cut": "cut",
        "back": "← {}",
        "size": "{} × {}",
        "also": "also: {}",
        "and": ", ",
        "columns": "{} = columns {}–{}",
        "rows": "{} = rows {}–{}",
        "check": "What the kernel computed in float32, and how far the formulas of this workbook are from it.",
        "largest": "largest difference",
    },
    "zh": {
        "title": "attention-by-hand：一次输入的全部数，都是活的公式",
        "prompt": "输入",
        "target": "目标",
        "no target": "无：这份工作簿里没有损失，也没有梯度",
        "seed": "种子",
        "unknown": "不详",
        "step": "已训练的步数",
        "digest": "参数的指纹",
        "answer": "最可能的下一个词元",
        "its P": "它的概率",
        "target P": "目标的概率",
        "loss": "损失，−ln P(目标)",
        "difference": "与内核的最大差*",
        "sheets": "各张表",
        "how": "怎样读",
        "all P": "每个词元作为下一个的概率",
        "token": "文字",
        "id": "编号",
        "masked": "遮住",
        "cut": "切断",
        "back": "← {}",
        "size": "{} × {}",
        "also": "又名：{}",
        "and": "，",
        "columns": "{} = 第 {}–{} 列",
        "rows": "{} = 第 {}–{} 行",
        "check": "内核用 float32 算出的数，以及本工作簿的公式与它相差多少。",
        "largest": "最大差",
    },
}

#: Names of axes in Chinese; in English they are the ledger's.
AXES_ZH: dict[str, str] = {
    "row": "行",
    "receiver": "接收行",
    "source": "来源",
    "dim": "维",
    "dim_in": "输入维",
    "dim_out": "输出维",
    "head_dim": "头内的维",
    "hidden": "隐藏单元",
    "token": "词元",
    "position": "位置",
}

HOW: dict[str, tuple[str, ...]] = {
    "en": (
        "Yellow cells are given: parameters, token ids, the target. Everything else is a formula; click a cell to see it.",
        "Change one yellow cell and every number that depends on it changes, up to the answer and the loss.",
        "Rows are tokens, numbered from 0. Rows and columns of the other matrices are numbered from 0 too.",
        'A grey "masked" is a token in the future: it does not exist yet when the row is worked out.',
        "To cut a connection, write 1 into the matrix named cut of that head. What you write into nudge is added to its score.",
        "0 is exactly 0. A small number is written like 3.1E-06, never as 0.0000.",
        "A spreadsheet counts with 64 bits, the kernel with 32. So the last digits differ; how much stands above. "
        "After a change the difference is your change. * For numbers above 1, relative to the number.",
    ),
    "zh": (
        "黄色的格子是给定的：参数、词元编号、目标。其余都是公式；点一格就能看到。",
        "改动一个黄色的格子，凡是依赖它的数都会跟着变，一直变到答案和损失。",
        "行是词元，从 0 数起。其他矩阵的行和列也从 0 数起。",
        "灰色的“遮住”是未来的词元：算这一行的时候，它还不存在。",
        "要切断一条连接，就在那个头的 cut 矩阵里填 1。填进 nudge 矩阵的数，会加到对应的得分上。",
        "0 就是恰好为 0。很小的数写成 3.1E-06 的样子，不会写成 0.0000。",
        "表格软件用 64 位计算，内核用 32 位，所以最后几位会不同；差多少写在上面。改动之后，这个差就是你的改动造成的。* 绝对值大于 1 的数，按相对差算。",
    ),
}


def sheet_name(key: str, language: str) -> str:
    """Name of a sheet by its key, such as ``back.layer2.attention``."""
    names = SHEETS[language]
    if key.startswith("back."):
        return names["back"].format(sheet_name(key.removeprefix("back."), language))
    if key.startswith("layer"):
        layer, _, part = key.removeprefix("layer").partition(".")
        return names[part].format(layer)
    return names[key]


def about(key: str, language: str) -> str:
    """What a sheet shows, in one sentence."""
    return ABOUT[language]["back" if key.startswith("back.") else key.rpartition(".")[2]]
