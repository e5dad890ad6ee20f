"""A folder that ``transformers`` opens as GPT-2, with a tokenizer for the 14 tokens and no code of ours.

GPT-2 is the same model with four differences in dress: biases where we have none (zeros), ReLU has to be
asked for, the output matrix is not tied to the embedding, and LM lies transposed. Its ``Conv1D`` layers
multiply from the right as we do, so their weights are not transposed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..model.layout import standard_layout
from ..model.sizes import Sizes
from ..tokens import END, IDS, MAX_TOKENS, TOKENS, spellings
from ..trained import Model
from .files import LeftOverError, write_folder
from .tensors import SIDE_BY_SIDE, TRANSPOSED, Rule, check_back, translated

FILES = frozenset(
    {
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
    }
)


def rules(sizes: Sizes) -> list[Rule]:
    """GPT-2's tensors and what each is made of.

    Parameters
    ----------
    sizes
        The shape letters.
    """
    d, f, v = sizes.d_model, sizes.d_ff, sizes.vocabulary
    found = [
        Rule("transformer.wte.weight", (v, d), ("TokenEmb",)),
        Rule("transformer.wpe.weight", (sizes.positions, d), ("PosEmb",)),
    ]
    for number in range(sizes.layers):
        us, them = f"layer{number + 1}.", f"transformer.h.{number}."
        found += [
            Rule(f"{them}ln_1.weight", (d,), (f"{us}LN1.gain",)),
            Rule(f"{them}ln_1.bias", (d,), (f"{us}LN1.bias",)),
            Rule(f"{them}attn.c_attn.weight", (d, 3 * d), (f"{us}WQ", f"{us}WK", f"{us}WV"), SIDE_BY_SIDE),
            Rule(f"{them}attn.c_attn.bias", (3 * d,)),
            Rule(f"{them}attn.c_proj.weight", (d, d), (f"{us}WO",)),
            Rule(f"{them}attn.c_proj.bias", (d,)),
            Rule(f"{them}ln_2.weight", (d,), (f"{us}LN2.gain",)),
            Rule(f"{them}ln_2.bias", (d,), (f"{us}LN2.bias",)),
            Rule(f"{them}mlp.c_fc.weight", (d, f), (f"{us}W1",)),
            Rule(f"{them}mlp.c_fc.bias", (f,), (f"{us}b1",)),
            Rule(f"{them}mlp.c_proj.weight", (f, d), (f"{us}W2",)),
            Rule(f"{them}mlp.c_proj.bias", (d,), (f"{us}b2",)),
        ]
    return [
        *found,
        Rule("transformer.ln_f.weight", (d,), ("FinalLN.gain",)),
        Rule("transformer.ln_f.bias", (d,), ("FinalLN.bias",)),
        Rule("lm_head.weight", (v, d), ("LM",), TRANSPOSED),
    ]


def config(sizes: Sizes) -> dict[str, Any]:
    """``config.json`` of GPT2LMHeadModel."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "activation_function": "relu",
        "vocab_size": sizes.vocabulary,
        "n_positions": sizes.positions,
        "n_embd": sizes.d_model,
        "n_layer": sizes.layers,
        "n_head": sizes.heads,
        "n_inner": sizes.d_ff,
        "layer_norm_epsilon": sizes.recipe.norm_epsilon,
        "scale_attn_weights": True,
        "tie_word_embeddings": False,
        "attn_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "resid_pdrop": 0.0,
        "bos_token_id": None,
        "eos_token_id": END,
        "pad_token_id": IDS["PAD"],
        "dtype": "float32",
    }


def tokenizer() -> dict[str, Any]:
    """``tokenizer.json``: the same spellings as `parse_tokens`, spaces ignored, one character one token.

    A character that is no token is refused there too: the vocabulary has no entry for the unknown.
    """
    special = [
        {
            "id": IDS[text],
            "content": text,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for text in ("END", "PAD")
    ]
    replaced = [
        {"type": "Replace", "pattern": {"String": spelling}, "content": text}
        for spelling, text in spellings().items()
        if spelling != text
    ]
    spaces = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": ""}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "Sequence", "normalizers": [spaces, *replaced]},
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": "."},
            "behavior": "Isolated",
            "invert": False,
        },
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {"type": "WordLevel", "vocab": IDS, "unk_token": "no such token"},
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def contents(model: Model) -> dict[str, bytes]:
    """The files of the folder, by name."""
    from safetensors.numpy import load, save

    sizes = standard_layout().table.sizes
    weights = save(translated(model, rules(sizes)), {"format": "pt"})
    check_back(model, rules(sizes), load(weights))
    special = {"eos_token": "END", "pad_token": "PAD"}
    found = {
        "config.json": _json(config(sizes)),
        "generation_config.json": _json(
            {
                "do_sample": False,
                "max_length": MAX_TOKENS,
                "eos_token_id": END,
                "pad_token_id": IDS["PAD"],
            }
        ),
        "model.safetensors": weights,
        "special_tokens_map.json": _json(special),
        "tokenizer.json": _json(tokenizer()),
        "tokenizer_config.json": _json(
            {
                "tokenizer_class": "PreTrainedTokenizerFast",
                "model_max_length": MAX_TOKENS,
                "padding_side": "right",
                "clean_up_tokenization_spaces": False,
                **special,
            }
        ),
    }
    if set(found) != FILES or json.loads(found["tokenizer.json"])["model"]["vocab"] != IDS:
        raise LeftOverError(
            f"the folder does not hold what it should: {', '.join(found)} for {' '.join(TOKENS)}"
        )
    return found


def write(model: Model, path: Path, overwrite: bool = False) -> None:
    """Write the folder.

    Parameters
    ----------
    model
        What to write.
    path
        The folder.
    overwrite
        Whether a folder written before may be replaced.

    Raises
    ------
    InputError
        The folder is there, holds other files, or cannot be written.
    """
    write_folder(path, contents(model), overwrite)
