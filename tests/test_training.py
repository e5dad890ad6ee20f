"""`train`, `Run` and `Model`: every step kept, any step reached again, bad input in one line."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import attention_by_hand as abh
import runs
from attention_by_hand.errors import InputError
from attention_by_hand.runtime import Kernel
from attention_by_hand.training import Run, check_seed, replay
from oracle import task


@given(st.integers(0, 2**32 - 1))
@example(0)
@example(2**32 - 1)
def test_every_seed_is_taken_as_number_and_as_text(seed):
    assert check_seed(seed) == seed
    assert check_seed(str(seed)) == seed
    assert check_seed(np.uint32(seed)) == seed


@given(
    st.integers(max_value=-1)
    | st.integers(min_value=2**32)
    | st.integers(min_value=2**32).map(str)
    | st.floats()
    | st.booleans()
    | st.none()
    | st.text("abcdefghij.,;:-+ ").filter(lambda text: not text.strip().isdecimal())
    | st.lists(st.integers(), max_size=2)
)
@example("")
@example("1.0")
@example("9" * 5000)
def test_every_other_seed_is_refused_in_one_line(seed):
    with pytest.raises(InputError) as caught:
        check_seed(seed)
    line = str(caught.value)
    assert "\n" not in line
    assert line.endswith("accepted: a whole number from 0 to 4294967295")


def test_history_and_states_have_every_step():
    run = runs.trained(1)
    assert [record.step for record in run.history] == list(range(len(run.states)))
    assert run.model.step == len(run.history) - 1
    assert run.history[-1].solved == 100
    assert all(record.solved < 100 for record in run.history[:-1])
    assert all(record.loss > task.floor() for record in run.history), "no model can go below the floor"


def test_each_state_is_the_one_before_plus_one_step():
    run, kernel = runs.trained(2), Kernel()
    for step in (0, 1, 33, len(run.states) - 2):
        run.states[step].write(kernel, step)
        kernel.call("train_step")
        assert kernel.view("Loss")[0] == np.float32(run.history[step].loss)
        for name, after in zip(
            ("parameters", "adam.m", "adam.v"), vars(run.states[step + 1]).values(), strict=True
        ):
            assert kernel.view(name).tobytes() == after.tobytes(), f"{name} after step {step}"


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_exactly_as_many_steps_as_asked_for(steps):
    run = abh.train(seed=3, steps=steps)
    assert len(run.history) == len(run.states) == steps + 1
    assert run.model.digest == runs.trained(3).at(steps).digest == replay(3, steps).digest


def test_training_goes_on_beyond_the_solved_table_when_asked():
    solved = len(runs.trained(1).history)
    run = abh.train(seed=1, steps=solved + 30)
    assert len(run.history) == solved + 31
    assert run.at(solved - 1).digest == runs.trained(1).model.digest


@pytest.mark.parametrize("steps", [-1, 1_000_001, 1.5, "ten"])
def test_numbers_of_steps_that_cannot_be_taken(steps):
    with pytest.raises(InputError, match=r"cannot be taken; accepted: 0 to 1000000"):
        abh.train(seed=1, steps=steps)


@pytest.mark.parametrize("step", [-1, 10_000, 1.5])
def test_steps_that_the_run_does_not_have(step):
    with pytest.raises(InputError, match=r"not in this run; accepted: 0 to \d+"):
        runs.trained(1).at(step)


def test_model_at_goes_back_and_forth():
    model = runs.trained(1).model
    first = model.at(0)
    assert (first.step, first.seed) == (0, 1)
    assert first.at(model.step).digest == model.digest
    beyond = model.at(model.step + 3)
    assert beyond.digest == abh.train(seed=1, steps=model.step + 3).model.digest
    with pytest.raises(InputError, match="step -1"):
        model.at(-1)


def test_kept_states_cannot_be_changed():
    state = runs.trained(1).states[5]
    with pytest.raises(ValueError, match="read-only"):
        state.parameters[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        runs.trained(1).at(5).parameter("LM")[0, 0] = 1


def test_on_step_sees_every_record_and_may_end_the_training():
    class Enough(Exception):  # noqa: N818
        pass

    seen, run = [], Run(4)

    def look(record):
        seen.append(record)
        if record.step == 12:
            raise Enough

    with pytest.raises(Enough):
        abh.train(4, on_step=look, run=run)
    assert seen == run.history
    assert len(run.states) == 13
    assert run.model.digest == abh.train(4, steps=12).model.digest


def test_next_tokens_are_labelled_probabilities():
    answer = runs.trained(1).model.next_tokens("7×8=")
    assert list(answer["token"].values) == list(abh.TOKENS)
    assert abs(float(answer.sum()) - 1) < 1e-6
    assert answer.sel(token="5") == answer.max()


def test_text_and_ids_ask_the_same():
    model = runs.trained(1).model
    expected = model.probabilities("7×8=5")
    assert model.probabilities([7, 10, 8, 11, 5]).tobytes() == expected.tobytes()
    assert model.probabilities(np.array([7, 10, 8, 11, 5])).tobytes() == expected.tobytes()
    assert model.generate([7, 10, 8, 11]) == "56"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ([], "has 0 tokens; accepted: 1 to 16"),
        ([7] * 17, "has 17 tokens; accepted: 1 to 16"),
        ([14], "14 is no token id; accepted: whole numbers from 0 to 13"),
        ([7, -1], "-1 is no token id"),
        ([7, 10.0], "10.0 is no token id"),
        (["7"], "'7' is no token id"),
        (7, "7 is no prompt"),
        ("7+8=", r"character 2 \('\+'\) is not a token"),
    ],
)
def test_prompts_that_cannot_be_read(prompt, expected):
    model = runs.trained(1).model
    for ask in (model.probabilities, model.next_tokens, model.write_on, model.generate, model.trace):
        with pytest.raises(InputError, match=expected):
            ask(prompt)


def test_writing_stops_at_sixteen_tokens():
    model = runs.own_parameters(7)
    for n in (1, 15, 16):
        written = model.write_on([7] * n, limit=99)
        assert len(written) <= 16 - n
        assert len(written) == 16 - n or written[-1] == task.ID["END"]


def test_a_parameter_that_does_not_exist():
    with pytest.raises(InputError, match=r"no parameter is called 'layer3.WQ'; there are TokenEmb, .*, LM"):
        runs.trained(1).model.parameter("layer3.WQ")


def test_two_models_do_not_disturb_each_other():
    early, late = runs.trained(1).at(3), runs.trained(1).model
    alone = early.probabilities("7×8=").tobytes()
    late.probabilities("9×9=81")
    assert early.probabilities("7×8=").tobytes() == alone
