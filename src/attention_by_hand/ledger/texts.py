"""What each entry is, in English and Chinese, its symbol, and its name in other libraries.

Keys are local names: without ``layer1.``, ``head2.``, ``grad.``, ``adam.m.``, ``next.`` in front.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """Meaning in both languages, LaTeX symbol, aliases (``{b}`` counts layers from 0, ``{h}`` heads from 0)."""

    en: str
    zh: str
    latex: str
    transformer_lens: str = ""
    nanogpt: str = ""


TEXTS: dict[str, Text] = {
    # Inputs
    "token": Text("Token id of each row.", "每一行的 token 编号。", r"t", "", "idx"),
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
        "在所有目标里，每个 token 接在这一行后面多少次；只有一个目标时，只有一个 1。",
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
        "任何模型的损失最低能到多少：后面可能接好几个 token 的地方，谁也没法确定。",
        r"\mathcal{L}_{\min}",
    ),
    "seed": Text(
        "The number all random starting values come from.", "所有随机初值都由这个数算出。", r"\text{seed}"
    ),
    # Parameters
    "TokenEmb": Text(
        "One row of 8 numbers for each of the 14 tokens.",
        "14 个 token 各有一行，每行 8 个数。",
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
        "注意力之前那次 LayerNorm 的缩放。",
        r"\gamma_1",
        "blocks.{b}.ln1.w",
        "h.{b}.ln_1.weight",
    ),
    "LN1.bias": Text(
        "Shift of LayerNorm before attention.",
        "注意力之前那次 LayerNorm 的平移。",
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
        "把整理过的一行变成它用来比较的数（query）；它站在乘积的左边。",
        r"W_Q",
        "blocks.{b}.attn.W_Q",
        "h.{b}.attn.c_attn.weight[0:8].T",
    ),
    "WK": Text(
        "Turns a tidied row into what others compare it by (key); its product is transposed.",
        "把整理过的一行变成别人拿来跟它比较的数（key）；它的乘积要转置。",
        r"W_K",
        "blocks.{b}.attn.W_K",
        "h.{b}.attn.c_attn.weight[8:16].T",
    ),
    "WV": Text(
        "Turns a tidied row into what it offers to its readers (value).",
        "把整理过的一行变成它提供给读者的内容（value）。",
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
        "输出矩阵（unembedding）：每个 token 一列，每列 8 个数。",
        r"L",
        "W_U",
        "lm_head.weight.T",
    ),
    # Forward
    "X": Text(
        "Token row plus position row: what every position starts with.",
        "token 那一行加上位置那一行：每个位置的起点。",
        r"X",
        "hook_embed + hook_pos_embed",
        "tok_emb + pos_emb",
    ),
    "X_in": Text(
        "The residual stream as the layer receives it.",
        "这一层收到的残差流。",
        r"X_{\text{in}}",
        "blocks.{b}.hook_resid_pre",
        "x",
    ),
    "LN1.mean": Text("Mean of the row before attention.", "注意力之前，这一行的平均数。", r"\mu_1"),
    "LN1.rstd": Text(
        "1 / standard deviation of the row before attention.", "注意力之前，这一行标准差的倒数。", r"\rho_1"
    ),
    "LN1.xhat": Text(
        "The row with its mean taken off and its spread brought to 1.",
        "减去平均数、再把离散程度调成 1 的这一行。",
        r"\hat X_1",
        "blocks.{b}.ln1.hook_normalized",
    ),
    "X_norm": Text(
        "The tidied row that Q, K and V are made from.",
        "整理过的一行，Q、K、V 都由它算出。",
        r"X_{\text{norm}}",
        "blocks.{b}.ln1.hook_normalized·w + b",
        "ln_1(x)",
    ),
    "Q": Text(
        "What each row compares with: its query.",
        "每一行拿来作比较的数：query。",
        r"Q",
        "blocks.{b}.attn.hook_q",
        "q",
    ),
    "K": Text(
        "What each row is compared by: its key.",
        "别的行拿来跟它比较的数：key。",
        r"K",
        "blocks.{b}.attn.hook_k",
        "k",
    ),
    "V": Text(
        "What each row offers: its value.", "每一行提供的内容：value。", r"V", "blocks.{b}.attn.hook_v", "v"
    ),
    "S": Text(
        "Attention scores: receiver's query times source's key, divided by √4. Future sources are masked.",
        "注意力分数：接收行的 query 乘来源行的 key，再除以 √4。未来的来源被遮住。",
        r"S",
        "blocks.{b}.attn.hook_attn_scores",
        "att (before softmax)",
    ),
    "cut": Text(
        "1 where the connection from this source was cut on purpose; 0 otherwise.",
        "有意切断这条连接的地方是 1，其余是 0。",
        r"\text{cut}",
    ),
    "nudge": Text(
        "What is added to a score on purpose, to measure what it does to the loss; 0 otherwise.",
        "为了测量分数对损失的影响，有意加到这个分数上的数；平时是 0。",
        r"\delta",
    ),
    "S.max": Text(
        "Largest score of the row, subtracted before exp.",
        "这一行最大的分数，取指数之前先减去它。",
        r"\max S",
    ),
    "S.exp": Text("exp of score minus the row's largest.", "分数减去本行最大值之后的指数。", r"e^{S-\max S}"),
    "S.exp.sum": Text("Sum of the row's exponentials.", "这一行指数之和。", r"\textstyle\sum e^{S-\max S}"),
    "A": Text(
        "Reading proportions (pattern): how much the receiver takes from each source; a row sums to 1.",
        "读取比例（pattern）：接收行从每个来源读多少；一行加起来是 1。",
        r"A",
        "blocks.{b}.attn.hook_pattern",
        "att (after softmax)",
    ),
    "H": Text(
        "What was gathered: sources' values mixed by the reading proportions.",
        "收集到的内容：按读取比例混合的各来源的 value。",
        r"H",
        "blocks.{b}.attn.hook_z",
        "y",
    ),
    "write": Text(
        "What this head adds to the residual stream.",
        "这个头写进残差流的内容。",
        r"H W_O",
        "blocks.{b}.attn.hook_result",
    ),
    "AttnOut": Text(
        "What attention adds to the residual stream, both heads together.",
        "注意力写进残差流的内容，两个头合在一起。",
        r"\text{Attn}",
        "blocks.{b}.hook_attn_out",
        "attn(ln_1(x))",
    ),
    "X_mid": Text(
        "The residual stream after attention.",
        "注意力之后的残差流。",
        r"X_{\text{mid}}",
        "blocks.{b}.hook_resid_mid",
        "x",
    ),
    "LN2.mean": Text(
        "Mean of the row before the feed-forward network.", "前馈网络之前，这一行的平均数。", r"\mu_2"
    ),
    "LN2.rstd": Text(
        "1 / standard deviation of the row before the feed-forward network.",
        "前馈网络之前，这一行标准差的倒数。",
        r"\rho_2",
    ),
    "LN2.xhat": Text(
        "The row before the feed-forward network, mean taken off, spread brought to 1.",
        "前馈网络之前的这一行，减去平均数、离散程度调成 1。",
        r"\hat X_2",
        "blocks.{b}.ln2.hook_normalized",
    ),
    "X_mid_norm": Text(
        "The tidied row the feed-forward network reads.",
        "整理过的一行，前馈网络读的就是它。",
        r"X_{\text{mid,norm}}",
        "blocks.{b}.ln2.hook_normalized·w + b",
        "ln_2(x)",
    ),
    "U": Text(
        "The 64 hidden units before ReLU.",
        "64 个隐藏单元，ReLU 之前。",
        r"U",
        "blocks.{b}.mlp.hook_pre",
        "c_fc(x)",
    ),
    "R": Text(
        "The 64 hidden units after ReLU: negative ones are 0.",
        "64 个隐藏单元，ReLU 之后：负数变成 0。",
        r"R",
        "blocks.{b}.mlp.hook_post",
        "relu(c_fc(x))",
    ),
    "FFNOut": Text(
        "What the feed-forward network adds to the residual stream.",
        "前馈网络写进残差流的内容。",
        r"\text{FFN}",
        "blocks.{b}.hook_mlp_out",
        "mlp(ln_2(x))",
    ),
    "X_out": Text(
        "The residual stream as it leaves the layer.",
        "离开这一层时的残差流。",
        r"X_{\text{out}}",
        "blocks.{b}.hook_resid_post",
        "x",
    ),
    "FinalLN.mean": Text(
        "Mean of the row before the output matrix.", "输出矩阵之前，这一行的平均数。", r"\mu_F"
    ),
    "FinalLN.rstd": Text(
        "1 / standard deviation of the row before the output matrix.",
        "输出矩阵之前，这一行标准差的倒数。",
        r"\rho_F",
    ),
    "FinalLN.xhat": Text(
        "The last row, mean taken off, spread brought to 1.",
        "最后的这一行，减去平均数、离散程度调成 1。",
        r"\hat X_F",
        "ln_final.hook_normalized",
    ),
    "Final": Text(
        "The tidied row that meets the output matrix.",
        "整理过的一行，它去乘输出矩阵。",
        r"\text{Final}",
        "ln_final.hook_normalized·w + b",
        "ln_f(x)",
    ),
    "logits": Text(
        "One score for each of the 14 tokens.", "14 个 token 各得一个分数。", r"Z", "logits", "logits"
    ),
    "logits.max": Text(
        "Largest logit of the row, subtracted before exp.",
        "这一行最大的 logit，取指数之前先减去它。",
        r"\max Z",
    ),
    "logits.exp": Text(
        "exp of logit minus the row's largest.", "logit 减去本行最大值之后的指数。", r"e^{Z-\max Z}"
    ),
    "logits.exp.sum": Text(
        "Sum of the row's exponentials.", "这一行指数之和。", r"\textstyle\sum e^{Z-\max Z}"
    ),
    "P": Text(
        "Probability of each token as the next one. PAD is never a target: training only pushes it down.",
        "每个 token 作为下一个的概率。PAD 从不是目标，训练只会把它往下压。",
        r"P",
        "softmax(logits)",
        "softmax(logits)",
    ),
    "row_loss": Text(
        "Loss of the targets of this row: the sum of −ln P.", "这一行所有目标的损失：−ln P 之和。", r"\ell"
    ),
    "Loss": Text(
        "Average of −ln P over all targets.", "所有目标的 −ln P 的平均。", r"\mathcal{L}", "loss", "loss"
    ),
    "u_mean": Text(
        "Average of u over the sources, weighted by the reading proportions: Σ A·u.",
        "按读取比例对各来源的 u 取的加权平均：Σ A·u。",
        r"\bar u",
    ),
    # Circuits and contributions
    "QK": Text(
        "WQ·WKᵀ of this head, 8×8: which receiver content seeks which source content.",
        "这个头的 WQ·WKᵀ，8×8：什么样的接收内容去找什么样的来源内容。",
        r"W_Q W_K^{\mathsf T}",
        "blocks.{b}.attn.QK",
        "",
    ),
    "OV": Text(
        "WV·WO of this head, 8×8: what a source's content becomes when it is written.",
        "这个头的 WV·WO，8×8：来源的内容写进去时变成什么。",
        r"W_V W_O",
        "blocks.{b}.attn.OV",
        "",
    ),
    "contribution": Text(
        "What {part} adds to the logits, with FinalLN's scale held as it is.",
        "在 FinalLN 的缩放保持不变时，{part} 给 logits 加了多少。",
        r"Z_{\text{part}}",
    ),
    "contribution.mean": Text(
        "Mean of the row of {part}, taken off by FinalLN.",
        "{part} 这一行的平均数，FinalLN 会减去它。",
        r"\mu_{\text{part}}",
    ),
    # Optimizer
    "adam.beta1_power": Text("β1 multiplied up once a step.", "β1 每一步自乘一次。", r"\beta_1^t"),
    "adam.beta2_power": Text("β2 multiplied up once a step.", "β2 每一步自乘一次。", r"\beta_2^t"),
    "adam.rate": Text(
        "Step size of the next step: full, or shorter once the loss is close to its floor.",
        "下一步的步长：平时是全长，损失接近下限以后按距离缩短。",
        r"\eta",
    ),
    "adam.step": Text("Optimizer steps taken so far.", "到现在为止走了多少步。", r"t"),
    "solved": Text(
        "1 where problem row × column is solved, decoded token by token.",
        "逐个 token 写出的答案正确时，第 row × column 题为 1。",
        r"\text{solved}",
    ),
    "solved.count": Text("Problems solved, of 100.", "100 题里做对多少题。", r"\textstyle\sum\text{solved}"),
}
