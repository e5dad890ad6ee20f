"""What is given: the inputs of a row, and the parameters."""

from .text import Text

GIVEN: dict[str, Text] = {
    # Inputs
    "token": Text("Token id of each row.", "每一行的词元编号。", r"t", "", "idx"),
    "position": Text(
        "Position of each row, counted from 0.", "每一行所在的位置，从 0 数起。", r"p", "", "pos"
    ),
    "ancestors": Text(
        "The row that stands at each source position for this row.",
        "对这一行来说，每个来源位置上站着哪一行。",
        r"r",
    ),
    "counts": Text(
        "How often each token follows this row among the targets; for one target, a single 1.",
        "在所有目标里，每个词元接在这一行后面多少次；只有一个目标时，只有一个 1。",
        r"N",
    ),
    "weight": Text("Number of targets of this row.", "这一行一共有多少个目标。", r"w"),
    "total": Text("Number of targets in all.", "目标总数。", r"N_{\text{all}}"),
    "row_floor": Text(
        "Least loss that any model can reach on the targets of this row.",
        "这一行的目标上，任何模型的损失最低能到多少。",
        r"\ell_{\min}",
    ),
    "floor": Text(
        "Least loss that any model can reach: where several tokens can follow, none can be certain.",
        "任何模型的损失最低能到多少：后面可能接好几个词元的地方，谁也没法确定。",
        r"\mathcal{L}_{\min}",
    ),
    "seed": Text(
        "The number all random starting values come from.", "所有随机初值都由这个数算出。", r"\text{seed}"
    ),
    # Parameters
    "TokenEmb": Text(
        "One row of 8 numbers for each of the 14 tokens.",
        "14 个词元各有一行，每行 8 个数。",
        r"E",
        "W_E",
        "wte.weight",
    ),
    "PosEmb": Text(
        "One row of 8 numbers for each of the 16 positions; training here reaches positions 0 to 5 only.",
        "16 个位置各有一行，每行 8 个数；这里的训练只会用到位置 0 到 5。",
        r"F",
        "W_pos",
        "wpe.weight",
    ),
    "LN1.gain": Text(
        "Scale of LayerNorm before attention.",
        "行与行互相读取之前，那次 LayerNorm 的缩放。",
        r"\gamma_1",
        "blocks.{b}.ln1.w",
        "h.{b}.ln_1.weight",
    ),
    "LN1.bias": Text(
        "Shift of LayerNorm before attention.",
        "行与行互相读取之前，那次 LayerNorm 的平移。",
        r"\beta_1",
        "blocks.{b}.ln1.b",
        "h.{b}.ln_1.bias",
    ),
    "LN2.gain": Text(
        "Scale of LayerNorm before the feed-forward network.",
        "前馈网络之前那次 LayerNorm 的缩放。",
        r"\gamma_2",
        "blocks.{b}.ln2.w",
        "h.{b}.ln_2.weight",
    ),
    "LN2.bias": Text(
        "Shift of LayerNorm before the feed-forward network.",
        "前馈网络之前那次 LayerNorm 的平移。",
        r"\beta_2",
        "blocks.{b}.ln2.b",
        "h.{b}.ln_2.bias",
    ),
    "FinalLN.gain": Text(
        "Scale of the last LayerNorm.",
        "最后一次 LayerNorm 的缩放。",
        r"\gamma_F",
        "ln_final.w",
        "ln_f.weight",
    ),
    "FinalLN.bias": Text(
        "Shift of the last LayerNorm.", "最后一次 LayerNorm 的平移。", r"\beta_F", "ln_final.b", "ln_f.bias"
    ),
    "WQ": Text(
        "Turns a tidied row into what it compares with (query); stands on the left of the product.",
        "把整理过的一行变成它拿来比较的数（query）；乘积里站在左边。",
        r"W_Q",
        "blocks.{b}.attn.W_Q",
        "h.{b}.attn.c_attn.weight[0:8].T",
    ),
    "WK": Text(
        "Turns a tidied row into what others compare it by (key); its product is transposed.",
        "把整理过的一行变成供人比较的数（key）；乘积里转置以后站在右边。",
        r"W_K",
        "blocks.{b}.attn.W_K",
        "h.{b}.attn.c_attn.weight[8:16].T",
    ),
    "WV": Text(
        "Turns a tidied row into what it offers to its readers (value).",
        "把整理过的一行变成它拿给别的行的内容（value）。",
        r"W_V",
        "blocks.{b}.attn.W_V",
        "h.{b}.attn.c_attn.weight[16:24].T",
    ),
    "WO": Text(
        "Writes what the heads have gathered back into the residual stream.",
        "把各个头收集到的内容写回残差流。",
        r"W_O",
        "blocks.{b}.attn.W_O",
        "h.{b}.attn.c_proj.weight.T",
    ),
    "W1": Text(
        "First matrix of the feed-forward network, 8 to 64.",
        "前馈网络的第一个矩阵，8 变 64。",
        r"W_1",
        "blocks.{b}.mlp.W_in",
        "h.{b}.mlp.c_fc.weight.T",
    ),
    "b1": Text(
        "Bias of the 64 hidden units.",
        "64 个隐藏单元的偏置。",
        r"b_1",
        "blocks.{b}.mlp.b_in",
        "h.{b}.mlp.c_fc.bias",
    ),
    "W2": Text(
        "Second matrix of the feed-forward network, 64 to 8.",
        "前馈网络的第二个矩阵，64 变 8。",
        r"W_2",
        "blocks.{b}.mlp.W_out",
        "h.{b}.mlp.c_proj.weight.T",
    ),
    "b2": Text(
        "Bias of the feed-forward output.",
        "前馈网络输出的偏置。",
        r"b_2",
        "blocks.{b}.mlp.b_out",
        "h.{b}.mlp.c_proj.bias",
    ),
    "LM": Text(
        "Output matrix (unembedding): one column of 8 numbers for each token.",
        "输出矩阵（unembedding）：每个词元一列，每列 8 个数。",
        r"L",
        "W_U",
        "lm_head.weight.T",
    ),
}
