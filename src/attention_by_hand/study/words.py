"""The words of the report, in both languages. The sentences of measures stand with the measures."""

from __future__ import annotations

EN = {
    "title": "Population study of attention-by-hand",
    "seeds": "Seeds",
    "count": "{done} of {total} seeds measured",
    "command": "Command",
    "version": "Version {version}, kernel SHA-256 {kernel}",
    "digest": "Digest of all values",
    "partial": "{missing} seeds are still missing; everything below is about the seeds measured so far.",
    "interval": "Shares of seeds stand with their 95 % interval (Wilson). Start is step 0. End is the first "
    "step at which all 100 problems are solved.",
    "training": "How training went",
    "follow": "Does a head follow the 0?",
    "follow_note": "“7” is the pair 7×0= and 0×7=. “1–9” asks the same of all nine pairs. “Some head” counts "
    "a seed if at least one of the four heads does it.",
    "shares": 'What the "=" row reads',
    "effects": "Largest share and largest effect",
    "effects_note": "Problems lost, of 100. Median over the seeds, in brackets the middle 90 % of them.",
    "agreement_note": "“Agree”: mean over the seeds of the last measure; {all} over all heads. "
    "A blind choice among four sources would give 25 %.",
    "head": "Head",
    "some_head": "some head",
    "whole": "Whole model",
    "start": "start",
    "end": "end",
    "seven": "7",
    "every": "1–9",
    "first": "first digit",
    "times": "×",
    "second": "second digit",
    "equals": "=",
    "entropy": "entropy, bits",
    "silenced": "silenced",
    "largest": "largest cut",
    "needed": "most needed cut",
    "agreement": "agree",
    "steps": "steps to 100/100",
    "above": "loss above the floor, at the end",
    "solved_all": "solve 100 of 100",
    "least": "min",
    "median": "median",
    "mean": "mean",
    "percent": "{part} %",
    "most": "max",
    "measure": "Measure",
    "seeds_axis": "seeds",
    "share_axis": "share of seeds",
    "read_axis": "share read, mean over seeds and problems",
    "read_note": "The share that is read from each source, mean over seeds and problems.",
    "lost_axis": "problems lost, of 100",
}

ZH = {
    "title": "attention-by-hand 的种子群体研究",
    "seeds": "种子",
    "count": "已测 {done} 个种子，共 {total} 个",
    "command": "命令",
    "version": "版本 {version}，内核 SHA-256 {kernel}",
    "digest": "全部数值的摘要",
    "partial": "还有 {missing} 个种子没有测完；下面只反映已经测完的种子。",
    "interval": "凡是占种子的比例，都附 95% 区间（Wilson 法）。“起点”指第 0 步，"
    "“终点”指第一次做对全部 100 题的那一步。",
    "training": "训练过程",
    "follow": "头会不会跟着 0 走？",
    "follow_note": "“7”指 7×0= 与 0×7= 这一对。“1–9”要求九对全部成立。"
    "“至少一个头”：四个头里只要有一个做到，这个种子就算。",
    "shares": "“=”所在行读了什么",
    "effects": "份额最大，影响就最大吗？",
    "effects_note": "少做对的题数，满分 100。数字是各种子的中位数，括号里是居中的 90%。",
    "agreement_note": "“一致”是最后一个量对种子取的平均；四个头合起来是 {all}。"
    "四个来源里随便挑一个，也有 25%。",
    "head": "头",
    "some_head": "至少一个头",
    "whole": "整个模型",
    "start": "起点",
    "end": "终点",
    "seven": "7",
    "every": "1–9",
    "first": "第一个数字",
    "times": "×",
    "second": "第二个数字",
    "equals": "=",
    "entropy": "熵（比特）",
    "silenced": "让头沉默",
    "largest": "切断份额最大的",
    "needed": "切断最要紧的",
    "agreement": "一致",
    "steps": "做对 100 题所需步数",
    "above": "终点损失超出下限",
    "solved_all": "做对全部 100 题",
    "least": "最小",
    "median": "中位数",
    "mean": "平均",
    "percent": "{part}%",
    "most": "最大",
    "measure": "量",
    "seeds_axis": "种子数",
    "share_axis": "占种子的比例",
    "read_axis": "读取的份额，对种子和题取平均",
    "read_note": "从每个来源读取的份额，对种子和题取平均。",
    "lost_axis": "少做对的题数（共 100 题）",
}

WORDS = {"en": EN, "zh": ZH}


def layer_head(layer: int, head: int, language: str) -> str:
    """How a head is called in a table."""
    return f"第 {layer} 层 · 头 {head}" if language == "zh" else f"layer {layer} · head {head}"
