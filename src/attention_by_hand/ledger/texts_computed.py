"""What is computed: forward, circuits and contributions, optimizer, measures."""

from .text import Text

COMPUTED: dict[str, Text] = {
    # Forward
    "X": Text(
        "Token row plus position row: what every position starts with.",
        "词元那一行加上位置那一行：每个位置的起点。",
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
    "LN1.mean": Text("Mean of the row before attention.", "互相读取之前，这一行的平均数。", r"\mu_1"),
    "LN1.rstd": Text(
        "1 / standard deviation of the row before attention.", "互相读取之前，这一行标准差的倒数。", r"\rho_1"
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
        "得分，由接收行的 query 和来源行的 key 作点积，再除以 √4。排在后面的来源被遮住。",
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
        "为了测量得分对损失的影响，有意加到这个得分上的数；平时是 0。",
        r"\delta",
    ),
    "S.max": Text(
        "Largest score of the row, subtracted before exp.",
        "这一行最大的得分，取指数之前先减去它。",
        r"\max S",
    ),
    "S.exp": Text("exp of score minus the row's largest.", "得分减去本行最大值之后的指数。", r"e^{S-\max S}"),
    "S.exp.sum": Text("Sum of the row's exponentials.", "这一行指数之和。", r"\textstyle\sum e^{S-\max S}"),
    "A": Text(
        "Reading proportions (pattern): how much the receiver takes from each source; a row sums to 1.",
        "份额（pattern），接收行从每个来源读多少；一行加起来是 1。",
        r"A",
        "blocks.{b}.attn.hook_pattern",
        "att (after softmax)",
    ),
    "H": Text(
        "What was gathered: sources' values mixed by the reading proportions.",
        "收集到的内容：把各个来源的 value 按份额混合起来。",
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
        "两个头一起写进残差流的内容。",
        r"\text{Attn}",
        "blocks.{b}.hook_attn_out",
        "attn(ln_1(x))",
    ),
    "X_mid": Text(
        "The residual stream after attention.",
        "两个头写完以后的残差流。",
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
        "One score for each of the 14 tokens.", "14 个词元各有一个分数。", r"Z", "logits", "logits"
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
        "每个词元接在后面的概率。PAD 从不是目标，训练只会把它往下压。",
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
        "按份额对各来源的 u 取的加权平均：Σ A·u。",
        r"\bar u",
    ),
    # Circuits and contributions
    "QK": Text(
        "WQ·WKᵀ of this head, 8×8: how what a receiver holds is compared with what a source holds.",
        "这个头的 WQ·WKᵀ，8×8：接收行里的内容怎样和来源行里的内容相比。",
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
    "adam.beta1_power": Text("β1 multiplied up once a step.", "每走一步就再乘一次 β1。", r"\beta_1^t"),
    "adam.beta2_power": Text("β2 multiplied up once a step.", "每走一步就再乘一次 β2。", r"\beta_2^t"),
    "adam.rate": Text(
        "Step size of the next step: full, or shorter once the loss is close to its floor.",
        "下一步的步长：平时是全长，损失接近下限以后按距离缩短。",
        r"\eta",
    ),
    "adam.rate.LM": Text(
        "Step size of the next step for LM, the last matrix: larger than for the others.",
        "最后一个矩阵 LM 下一步的步长：比其他参数的大。",
        r"\eta_{\text{LM}}",
    ),
    "adam.step": Text("Optimizer steps taken so far.", "到现在为止走了多少步。", r"t"),
    "solved": Text(
        "1 where problem row × column is solved, decoded token by token.",
        "行号 × 列号这道题，逐个词元写出的答案全对时是 1。",
        r"\text{solved}",
    ),
    "solved.count": Text("Problems solved, of 100.", "100 题里做对多少题。", r"\textstyle\sum\text{solved}"),
}
