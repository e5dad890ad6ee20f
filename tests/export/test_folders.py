"""The folders for Hugging Face and TransformerLens: what is in them, and what becomes of what was there."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

import runs
from attention_by_hand.errors import InputError
from attention_by_hand.export import huggingface, transformer_lens
from attention_by_hand.export.files import LeftOverError
from attention_by_hand.export.tensors import check_back, translated
from attention_by_hand.model.sizes import Sizes
from attention_by_hand.tokens import IDS, TOKENS, parse_tokens

BOTH = [huggingface, transformer_lens]


def both(function):
    return pytest.mark.parametrize("exporter", BOTH, ids=lambda module: module.__name__.rpartition(".")[2])(
        function
    )


def heads(cells: np.ndarray, axis: int) -> np.ndarray:
    """[8, 8] cut in two along an axis."""
    return np.stack([cells.take(range(4), axis), cells.take(range(4, 8), axis)])


def as_gpt2() -> dict[str, np.ndarray]:
    """GPT-2's tensors, written down a second time without the exporter's table."""
    p = runs.parameters(runs.own_parameters(3))
    found = {"transformer.wte.weight": p["TokenEmb"], "transformer.wpe.weight": p["PosEmb"]}
    for layer in (1, 2):
        us, them = f"layer{layer}", f"transformer.h.{layer - 1}"
        found |= {
            f"{them}.ln_1.weight": p[f"{us}.LN1.gain"],
            f"{them}.ln_1.bias": p[f"{us}.LN1.bias"],
            f"{them}.attn.c_attn.weight": np.hstack([p[f"{us}.WQ"], p[f"{us}.WK"], p[f"{us}.WV"]]),
            f"{them}.attn.c_attn.bias": np.zeros(24),
            f"{them}.attn.c_proj.weight": p[f"{us}.WO"],
            f"{them}.attn.c_proj.bias": np.zeros(8),
            f"{them}.ln_2.weight": p[f"{us}.LN2.gain"],
            f"{them}.ln_2.bias": p[f"{us}.LN2.bias"],
            f"{them}.mlp.c_fc.weight": p[f"{us}.W1"],
            f"{them}.mlp.c_fc.bias": p[f"{us}.b1"],
            f"{them}.mlp.c_proj.weight": p[f"{us}.W2"],
            f"{them}.mlp.c_proj.bias": p[f"{us}.b2"],
        }
    found |= {"transformer.ln_f.weight": p["FinalLN.gain"], "transformer.ln_f.bias": p["FinalLN.bias"]}
    return found | {"lm_head.weight": p["LM"].T}


def as_hooked() -> dict[str, np.ndarray]:
    """TransformerLens's tensors, likewise."""
    p = runs.parameters(runs.own_parameters(3))
    found = {"embed.W_E": p["TokenEmb"], "pos_embed.W_pos": p["PosEmb"]}
    for layer in (1, 2):
        us, them = f"layer{layer}", f"blocks.{layer - 1}"
        for name in "QKV":
            found |= {f"{them}.attn.W_{name}": heads(p[f"{us}.W{name}"], 1)}
            found |= {f"{them}.attn.b_{name}": np.zeros((2, 4))}
        found |= {
            f"{them}.ln1.w": p[f"{us}.LN1.gain"],
            f"{them}.ln1.b": p[f"{us}.LN1.bias"],
            f"{them}.attn.W_O": heads(p[f"{us}.WO"], 0),
            f"{them}.attn.b_O": np.zeros(8),
            f"{them}.ln2.w": p[f"{us}.LN2.gain"],
            f"{them}.ln2.b": p[f"{us}.LN2.bias"],
            f"{them}.mlp.W_in": p[f"{us}.W1"],
            f"{them}.mlp.b_in": p[f"{us}.b1"],
            f"{them}.mlp.W_out": p[f"{us}.W2"],
            f"{them}.mlp.b_out": p[f"{us}.b2"],
        }
    found |= {"ln_final.w": p["FinalLN.gain"], "ln_final.b": p["FinalLN.bias"]}
    return found | {"unembed.W_U": p["LM"], "unembed.b_U": np.zeros(14)}


@both
def test_the_tensors_are_those_the_library_expects(exporter: ModuleType, tmp_path: Path) -> None:
    exporter.write(runs.own_parameters(3), tmp_path / "out")
    found = load_file(tmp_path / "out" / "model.safetensors")
    wanted = as_gpt2() if exporter is huggingface else as_hooked()
    assert found.keys() == wanted.keys()
    for name, cells in wanted.items():
        assert found[name].dtype == np.float32
        assert np.array_equal(found[name], cells), f"{name} holds other numbers"


@both
def test_a_tensor_left_over_missing_or_changed_is_noticed(exporter: ModuleType) -> None:
    model = runs.own_parameters(3)
    rules = exporter.rules(Sizes())
    tensors = translated(model, rules)
    check_back(model, rules, tensors)
    with pytest.raises(LeftOverError, match="left over: extra"):
        check_back(model, rules, tensors | {"extra": np.zeros(1)})
    with pytest.raises(LeftOverError, match="not written: LM"):
        check_back(
            model,
            rules[:-1] if exporter is huggingface else [*rules[:-2], rules[-1]],
            {name: cells for name, cells in tensors.items() if name not in ("lm_head.weight", "unembed.W_U")},
        )
    changed = next(rule.theirs for rule in rules if rule.ours == ("FinalLN.gain",))
    with pytest.raises(LeftOverError, match=r"FinalLN\.gain does not come back"):
        check_back(model, rules, tensors | {changed: np.nextafter(tensors[changed], np.float32(9))})


@both
def test_a_folder_that_is_there_needs_force_and_is_replaced_whole(
    exporter: ModuleType, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    exporter.write(runs.own_parameters(3), folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert before.keys() == exporter.FILES
    with pytest.raises(InputError, match=r"exists.*--force"):
        exporter.write(runs.own_parameters(4), folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    exporter.write(runs.own_parameters(4), folder, overwrite=True)
    assert (folder / "model.safetensors").read_bytes() != before["model.safetensors"]
    assert [file.name for file in tmp_path.iterdir()] == ["out"], "something was left beside the folder"


@both
def test_a_folder_with_other_files_is_never_replaced(exporter: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(InputError, match=r"holds other files, thesis\.txt for one"):
        exporter.write(runs.own_parameters(3), tmp_path, overwrite=True)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


@both
def test_a_file_of_that_name_and_a_missing_place_are_refused(exporter: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="not a folder"):
        exporter.write(runs.own_parameters(3), tmp_path / "file", overwrite=True)
    with pytest.raises(InputError, match="no folder"):
        exporter.write(runs.own_parameters(3), tmp_path / "no" / "out")


@both
@pytest.mark.parametrize("there", [False, True])
def test_a_full_disk_leaves_what_was_there_and_no_half_folder(
    exporter: ModuleType, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    if there:
        exporter.write(runs.own_parameters(3), folder)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    written: list[Path] = []
    real = Path.write_bytes

    def full(self: Path, content: bytes) -> int:
        if written:
            raise OSError(28, "No space left on device")
        written.append(self)
        return real(self, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left"):
        exporter.write(runs.own_parameters(4), folder, overwrite=True)
    assert written, "the disk has to fill up in the middle"
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


# --- what goes with GPT-2


def test_the_configuration_is_of_this_model() -> None:
    files = huggingface.contents(runs.own_parameters(3))
    config = json.loads(files["config.json"])
    assert (config["n_embd"], config["n_layer"], config["n_head"], config["n_inner"]) == (8, 2, 2, 64)
    assert (config["vocab_size"], config["n_positions"]) == (len(TOKENS), 16)
    assert config["activation_function"] == "relu"
    assert config["tie_word_embeddings"] is False
    generation = json.loads(files["generation_config.json"])
    assert (generation["eos_token_id"], generation["pad_token_id"]) == (IDS["END"], IDS["PAD"])
    assert not [name for name in files if name.endswith(".py")], "no code has to be trusted"


TYPED = st.text("0123456789×xX*＊=＝０９ ", min_size=1, max_size=16).filter(str.strip)


@given(TYPED)
def test_the_tokenizer_reads_what_the_command_line_reads(text: str) -> None:
    description = huggingface.tokenizer()
    assert [step["type"] for step in description["normalizer"]["normalizers"][1:]].count("Replace") > 10
    normal = "".join(text.split())
    for step in description["normalizer"]["normalizers"][1:]:
        normal = normal.replace(step["pattern"]["String"], step["content"])
    assert [description["model"]["vocab"][character] for character in normal] == parse_tokens(text)


# --- what goes with TransformerLens


def test_the_loader_is_python_and_needs_nothing_of_this_project() -> None:
    tree = ast.parse(transformer_lens.contents(runs.own_parameters(3))["load.py"])
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {"json", "pathlib", "safetensors", "transformer_lens"}
