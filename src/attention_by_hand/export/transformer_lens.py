"""A folder for TransformerLens: the weights under its names, its configuration, and the lines that load them.

TransformerLens keeps the heads apart: WQ, WK, WV [8, 8] are cut into each head's columns, WO into each
head's rows. Nothing is transposed. Its biases that we do not have are zeros.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..model.layout import standard_layout
from ..model.sizes import Sizes
from ..trained import Model
from .files import LeftOverError, write_folder
from .tensors import Rule, by_columns, by_rows, check_back, translated

FILES = frozenset({"config.json", "model.safetensors", "load.py"})

#: Written beside the weights. `HookedTransformer` was taken out of TransformerLens 4; there the same
#: weights go into its native bridge, and the hooks keep their names.
LOADER = '''"""Open the model of this folder in TransformerLens.

    from load import load
    model = load()
    logits, cache = model.run_with_cache(torch.tensor([[7, 10, 8, 11]]))   # 7 × 8 =
    cache["blocks.0.attn.hook_pattern"][0, 1]                              # layer 1, head 2: who reads whom

Works with TransformerLens 2 and 3 (HookedTransformer) and 4 (TransformerBridge).
"""

import json
from pathlib import Path

from safetensors.torch import load_file

HERE = Path(__file__).parent


def load():
    """Return the model, every weight in its place."""
    config = json.loads((HERE / "config.json").read_text(encoding="utf-8"))
    state = load_file(HERE / "model.safetensors")
    try:
        from transformer_lens import HookedTransformer, HookedTransformerConfig
    except ImportError:
        return _load_bridge(config, state)
    model = HookedTransformer(HookedTransformerConfig.from_dict(config))
    left = model.load_state_dict(state, strict=False)
    # The causal mask and its filler are constants of the library, not weights.
    missing = [name for name in left.missing_keys if not name.endswith((".mask", ".IGNORE"))]
    assert not missing and not left.unexpected_keys, (missing, left.unexpected_keys)
    return model.eval()


def _load_bridge(config, state):
    """Return the model as TransformerLens 4 has it."""
    from transformer_lens.model_bridge import TransformerBridge
    from transformer_lens.utilities.tl_checkpoint_conversion import convert_tl_checkpoint

    model = TransformerBridge.boot_native(config)
    left = model.load_state_dict(convert_tl_checkpoint(state, model.cfg), strict=True)
    assert not left.missing_keys and not left.unexpected_keys, left
    return model.eval()
'''


def rules(sizes: Sizes) -> list[Rule]:
    """The tensors of a HookedTransformer and what each is made of.

    Parameters
    ----------
    sizes
        The shape letters.
    """
    d, f, v, h, c = sizes.d_model, sizes.d_ff, sizes.vocabulary, sizes.heads, sizes.d_head
    found = [
        Rule("embed.W_E", (v, d), ("TokenEmb",)),
        Rule("pos_embed.W_pos", (sizes.positions, d), ("PosEmb",)),
    ]
    for number in range(sizes.layers):
        us, them = f"layer{number + 1}.", f"blocks.{number}."
        found += [
            Rule(f"{them}ln1.w", (d,), (f"{us}LN1.gain",)),
            Rule(f"{them}ln1.b", (d,), (f"{us}LN1.bias",)),
            *(Rule(f"{them}attn.W_{x}", (h, d, c), (f"{us}W{x}",), by_columns(h)) for x in "QKV"),
            *(Rule(f"{them}attn.b_{x}", (h, c)) for x in "QKV"),
            Rule(f"{them}attn.W_O", (h, c, d), (f"{us}WO",), by_rows(h)),
            Rule(f"{them}attn.b_O", (d,)),
            Rule(f"{them}ln2.w", (d,), (f"{us}LN2.gain",)),
            Rule(f"{them}ln2.b", (d,), (f"{us}LN2.bias",)),
            Rule(f"{them}mlp.W_in", (d, f), (f"{us}W1",)),
            Rule(f"{them}mlp.b_in", (f,), (f"{us}b1",)),
            Rule(f"{them}mlp.W_out", (f, d), (f"{us}W2",)),
            Rule(f"{them}mlp.b_out", (d,), (f"{us}b2",)),
        ]
    return [
        *found,
        Rule("ln_final.w", (d,), ("FinalLN.gain",)),
        Rule("ln_final.b", (d,), ("FinalLN.bias",)),
        Rule("unembed.W_U", (d, v), ("LM",)),
        Rule("unembed.b_U", (v,)),
    ]


def config(sizes: Sizes) -> dict[str, Any]:
    """The fields of HookedTransformerConfig."""
    return {
        "model_name": "attention-by-hand",
        "n_layers": sizes.layers,
        "n_heads": sizes.heads,
        "d_model": sizes.d_model,
        "d_head": sizes.d_head,
        "d_mlp": sizes.d_ff,
        "d_vocab": sizes.vocabulary,
        "n_ctx": sizes.positions,
        "act_fn": "relu",
        "eps": sizes.recipe.norm_epsilon,
        "normalization_type": "LN",
        "positional_embedding_type": "standard",
        "attention_dir": "causal",
        "use_attn_scale": True,
        "use_attn_result": True,
        "device": "cpu",
    }


def contents(model: Model) -> dict[str, bytes]:
    """The files of the folder, by name."""
    from safetensors.numpy import load, save

    sizes = standard_layout().table.sizes
    weights = save(translated(model, rules(sizes)))
    check_back(model, rules(sizes), load(weights))
    found = {
        "config.json": (json.dumps(config(sizes), indent=2) + "\n").encode(),
        "model.safetensors": weights,
        "load.py": LOADER.encode(),
    }
    if set(found) != FILES:
        raise LeftOverError(f"the folder does not hold what it should: {', '.join(found)}")
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
