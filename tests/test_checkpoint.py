"""Checkpoints come back bit for bit; everything else that a file can be gets one clear line."""

import json
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load as read_bytes
from safetensors.numpy import save as to_bytes

import attention_by_hand as abh
import runs
from attention_by_hand.errors import InputError
from attention_by_hand.tokens import TOKENS
from oracle.model import parameter_shapes

NAMES = [prefix + name for prefix in ("", "adam.m.", "adam.v.") for name in parameter_shapes()]
names = st.sampled_from(NAMES)
one_file = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def metadata_of(model):
    return {
        "format": "attention-by-hand",
        "version": "1",
        "seed": "" if model.seed is None else str(model.seed),
        "step": str(model.step),
        "digest": model.digest,
        "tokens": json.dumps(list(TOKENS), ensure_ascii=False),
    }


@pytest.fixture(scope="module")
def model():
    return runs.trained(1).at(40)


@pytest.fixture(scope="module")
def content(model, tmp_path_factory):
    """The bytes of a good checkpoint."""
    path = tmp_path_factory.mktemp("good") / "model.safetensors"
    model.save(path)
    return path.read_bytes()


@pytest.fixture
def write(tmp_path):
    """Writes bytes, or tensors and metadata, and returns the path."""
    path = tmp_path / "model.safetensors"

    def put(tensors, metadata=None):
        path.write_bytes(tensors if isinstance(tensors, bytes) else to_bytes(tensors, metadata))
        return path

    return put


def refused(path):
    """The one line with which a file is refused."""
    with pytest.raises(InputError) as caught:
        abh.load(path)
    line = str(caught.value)
    assert "\n" not in line
    assert str(path) in line
    return line


@pytest.mark.parametrize("step", [0, 1, 40])
def test_what_is_saved_comes_back(tmp_path, step):
    saved = runs.trained(1).at(step)
    saved.save(tmp_path / "model.safetensors")
    loaded = abh.load(tmp_path / "model.safetensors")
    assert (loaded.seed, loaded.step, loaded.digest) == (1, step, saved.digest)
    for block in ("parameters", "m", "v"):
        assert getattr(loaded.state, block).tobytes() == getattr(saved.state, block).tobytes()
    assert loaded.generate("7×8=") == saved.generate("7×8=")


def test_other_programs_read_names_shapes_and_metadata(content, model):
    tensors = read_bytes(content)
    assert set(tensors) == set(NAMES)
    for name, shape in parameter_shapes().items():
        assert tensors[name].shape == shape
        assert tensors[name].dtype == np.float32
        assert tensors[name].tobytes() == model.parameter(name).tobytes()
    length = struct.unpack("<Q", content[:8])[0]
    found = json.loads(content[8 : 8 + length])["__metadata__"]
    assert len(found.pop("whole")) == 64
    assert found == metadata_of(model)


def test_saving_twice_gives_the_same_bytes(tmp_path, content, model):
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == content


def test_a_loaded_model_goes_to_other_steps_of_its_run(write, content):
    loaded = abh.load(write(content))
    assert loaded.at(41).digest == runs.trained(1).at(41).digest
    assert loaded.at(0).digest == runs.trained(1).at(0).digest


def test_parameters_from_elsewhere_have_no_other_step(tmp_path):
    runs.own_parameters(7).save(tmp_path / "own")
    loaded = abh.load(tmp_path / "own")
    assert loaded.seed is None
    assert loaded.digest == runs.own_parameters(7).digest
    with pytest.raises(InputError, match="no other step"):
        loaded.at(1)


def test_no_file_but_nothing_or_a_folder(tmp_path):
    for path in (tmp_path / "nothing", tmp_path):
        assert "accepted: a checkpoint" in refused(path)


@pytest.mark.parametrize("other", [b"", b"hello", b"\x00" * 100, b"\xff" * 100, b"PK\x03\x04" + b"x" * 50])
def test_no_safetensors(write, other):
    assert "not a whole safetensors file" in refused(write(other))


@one_file
@given(st.data())
def test_truncated_anywhere(write, content, data):
    length = data.draw(st.integers(0, len(content) - 1))
    assert "not a whole safetensors file" in refused(write(content[:length]))


@settings(one_file, max_examples=150)
@given(st.data())
def test_one_changed_byte_is_refused_or_leaves_the_parameters_whole(write, content, model, data):
    header = 8 + struct.unpack("<Q", content[:8])[0]
    place = data.draw(st.integers(0, header + 100) | st.integers(0, len(content) - 1))
    value = data.draw(st.integers(0, 255))
    changed = bytearray(content)
    changed[place] = value
    path = write(bytes(changed))
    try:
        loaded = abh.load(path)
    except InputError as error:
        line = str(error)
        assert "\n" not in line
    else:
        assert loaded.digest == model.digest


@one_file
@given(names)
def test_a_tensor_too_few(write, content, model, name):
    tensors = read_bytes(content)
    del tensors[name]
    assert f"has no tensor {name}" in refused(write(tensors, metadata_of(model)))


@one_file
@given(names, st.sampled_from(["x", "layer3.WQ", "adam.m", "wq", "layer1.wq"]))
def test_a_wrong_name(write, content, model, name, wrong):
    tensors = read_bytes(content)
    tensors[wrong] = tensors.pop(name)
    assert f"has no tensor {name}" in refused(write(tensors, metadata_of(model)))


def test_a_tensor_too_many(write, content, model):
    tensors = read_bytes(content) | {"layer3.WQ": np.zeros((8, 8), np.float32)}
    assert "does not belong here: layer3.WQ" in refused(write(tensors, metadata_of(model)))


@one_file
@given(names, st.integers(0, 3))
def test_a_wrong_shape(write, content, model, name, way):
    tensors = read_bytes(content)
    cells = tensors[name]
    wrong = [cells[None], cells[..., None], cells[:-1], np.append(cells.ravel(), np.float32(0))][way]
    tensors[name] = np.ascontiguousarray(wrong)
    expected = f"{name} has shape {list(wrong.shape)}; accepted: {list(cells.shape)}"
    assert expected in refused(write(tensors, metadata_of(model)))


@one_file
@given(names, st.sampled_from(["float64 F64", "float16 F16", "int32 I32", "uint8 U8", "bool BOOL"]))
def test_a_wrong_number_type(write, content, model, name, kind):
    tensors = read_bytes(content)
    dtype, shown = kind.split()
    tensors[name] = tensors[name].astype(dtype)
    assert f"{name} holds {shown} numbers; accepted: F32" in refused(write(tensors, metadata_of(model)))


@pytest.mark.parametrize("kind", ["BF16", "F16", "F8_E4M3"])
def test_a_number_type_that_numpy_may_not_know(write, content, kind):
    """The header of WQ says another type of other width; its bytes are cut to fit."""
    length = struct.unpack("<Q", content[:8])[0]
    header, cells = json.loads(content[8 : 8 + length]), content[8 + length :]
    width = 1 if kind.startswith("F8") else 2
    rebuilt = b""
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            part = cells[begin:end]
            if name == "layer1.WQ":
                entry["dtype"] = kind
                part = part[: len(part) * width // 4]
            entry["data_offsets"] = [len(rebuilt), len(rebuilt) + len(part)]
            rebuilt += part
    text = json.dumps(header).encode()
    assert f"layer1.WQ holds {kind} numbers" in refused(write(struct.pack("<Q", len(text)) + text + rebuilt))


@one_file
@given(names, st.sampled_from([np.nan, np.inf, -np.inf]), st.data())
def test_no_number_or_infinity_inside(write, content, model, name, value, data):
    tensors = {key: cells.copy() for key, cells in read_bytes(content).items()}
    index = tuple(data.draw(st.integers(0, size - 1)) for size in tensors[name].shape)
    tensors[name][index] = value
    expected = f"{name}[{','.join(map(str, index))}] is {np.float32(value)}; accepted: finite numbers"
    assert expected in refused(write(tensors, metadata_of(model)))


@one_file
@given(st.sampled_from(list(parameter_shapes())), st.data())
def test_a_parameter_that_was_changed_afterwards(write, content, model, name, data):
    tensors = {key: cells.copy() for key, cells in read_bytes(content).items()}
    index = tuple(data.draw(st.integers(0, size - 1)) for size in tensors[name].shape)
    tensors[name][index] = np.nextafter(tensors[name][index], np.float32(9))
    assert "does not match its own digest" in refused(write(tensors, metadata_of(model)))


def own_metadata(content):
    """The metadata that the file itself holds."""
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length])["__metadata__"]


@one_file
@given(names, st.data())
def test_any_cell_that_was_changed_afterwards(write, content, name, data):
    tensors = {key: cells.copy() for key, cells in read_bytes(content).items()}
    index = tuple(data.draw(st.integers(0, size - 1)) for size in tensors[name].shape)
    tensors[name][index] = np.nextafter(tensors[name][index], np.float32(9))
    assert "does not match its own digest" in refused(write(tensors, own_metadata(content)))


@pytest.mark.parametrize("change", [{"seed": "2"}, {"step": "41"}, {"seed": ""}])
def test_a_seed_or_step_that_was_changed_afterwards(write, content, change):
    assert "does not match its own digest" in refused(
        write(read_bytes(content), own_metadata(content) | change)
    )


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("format", "gpt2", "is no attention-by-hand checkpoint"),
        ("version", "2", "is no attention-by-hand checkpoint of version 1"),
        ("tokens", json.dumps(["a", "b"]), "is from another vocabulary"),
        ("tokens", json.dumps([*TOKENS[:10], "+", *TOKENS[11:]], ensure_ascii=False), "another vocabulary"),
        ("tokens", "no JSON", "another vocabulary"),
        ("seed", "-1", "does not say its seed"),
        ("seed", "4294967296", "does not say its seed"),
        ("seed", "one", "does not say its seed"),
        ("seed", "9" * 5000, "does not say its seed"),
        ("step", "", "does not say its seed, step"),
        ("step", "-1", "does not say its seed, step"),
        ("step", "1.5", "does not say its seed, step"),
        ("step", "1000001", "does not say its seed, step"),
        ("step", "9" * 5000, "does not say its seed, step"),
        ("digest", "0" * 64, "does not match its own digest"),
        ("digest", "", "does not match its own digest"),
    ],
)
def test_metadata_of_something_else(write, content, model, key, value, expected):
    assert expected in refused(write(read_bytes(content), metadata_of(model) | {key: value}))


@pytest.mark.parametrize("key", ["format", "version", "tokens", "seed", "step", "digest"])
def test_metadata_with_something_missing(write, content, model, key):
    metadata = metadata_of(model)
    del metadata[key]
    assert "accepted: " in refused(write(read_bytes(content), metadata))


def test_another_programs_file(write, content):
    assert "is no attention-by-hand checkpoint" in refused(write(read_bytes(content)))


@one_file
@given(st.dictionaries(st.text(), st.text()))
@example({"format": "attention-by-hand", "version": "1"})
def test_any_metadata_gets_one_line(write, content, metadata):
    refused(write(read_bytes(content), metadata))
