"""Solved means written out token by token until END; the fast count on the tree says the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runs
from attention_by_hand.kernels.loss import count_solved
from attention_by_hand.runtime import Kernel
from attention_by_hand.state import State
from attention_by_hand.trained import Model
from oracle import decode, task

SEEDS = [1, 2, 3]


@pytest.fixture(scope="module")
def kernel():
    return Kernel()


def counted(kernel, chosen):
    """The kernel's table of solved problems: the most likely token is right at each answer node."""
    chosen.state.write(kernel, 0)
    kernel.call("batch_forward")
    table = kernel.view("solved").astype(bool)
    assert kernel.view("solved.count")[0] == table.sum()
    return table


def written(chosen):
    """The same table from the model's own writing, one token after the other."""
    table = np.zeros((10, 10), bool)
    for (a, b), seq in task.SEQUENCES.items():
        question = task.ids(seq[: seq.index("=") + 1])
        table[a, b] = chosen.write_on(question) == task.ids(seq[len(question) :])
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_counting_on_the_tree_is_writing_token_by_token(kernel, seed):
    """Every tenth step of a whole run: the same bits decide, so not one problem may differ."""
    run = runs.trained(seed)
    counts = []
    for step in [*range(0, len(run.states), 10), len(run.states) - 1]:
        table = counted(kernel, run.at(step))
        wrong = np.argwhere(table != written(run.at(step)))
        assert len(wrong) == 0, f"seed {seed}, step {step}: counted and written differ for {wrong.tolist()}"
        assert run.history[step].solved == table.sum()
        counts.append(int(table.sum()))
    assert counts[0] < 10
    assert counts[-1] == 100
    assert any(10 < count < 90 for count in counts), "the test saw no half-trained model"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_writes_the_same(kernel, seed):
    """In float64; where two tokens are closer than float32 can tell, either may win."""
    run = runs.trained(seed)
    close = 0
    for step in [*range(0, len(run.states), 10), len(run.states) - 1]:
        chosen = run.at(step)
        expected, margin = decode.solved(runs.parameters(chosen))
        sure = margin > 1e-5
        close += int(np.sum(~sure))
        assert np.array_equal(counted(kernel, chosen)[sure], expected[sure]), f"seed {seed}, step {step}"
    assert close < 10, "too many near-ties for this comparison to mean anything"


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_models_that_nobody_trained(kernel, seed):
    chosen = runs.own_parameters(seed)
    assert np.array_equal(counted(kernel, chosen), written(chosen))


def test_equal_probabilities_go_to_the_first_token(kernel):
    """PAD gets END's column of LM: the same probability to the last bit, and END, the first, is written."""
    runs.trained(1).model.state.write(kernel, 0)
    kernel.view("LM")[:, task.ID["PAD"]] = kernel.view("LM")[:, task.ID["END"]]
    twin = Model(State.read(kernel), None, 0)
    at_the_end = twin.probabilities("7×8=56")[-1]
    assert at_the_end[task.ID["END"]] == at_the_end[task.ID["PAD"]] > 0.4
    assert counted(kernel, twin).all()
    assert written(twin).all()


def test_even_odds_solve_nothing(kernel):
    """With an output matrix of zeros all 14 tokens tie: "0" wins everywhere, so END never comes."""
    runs.own_parameters(4).state.write(kernel, 0)
    kernel.view("LM")[...] = 0
    kernel.call("batch_forward")
    assert kernel.view("solved.count")[0] == 0
    assert np.all(kernel.view("P") == np.float32(1) / np.float32(14))


def test_history_counts_what_the_last_model_writes():
    run = runs.trained(1)
    assert run.solved
    assert written(run.model).all()
    assert run.model.generate("7×8=") == "56"
    assert [record.solved for record in run.history].index(100) == len(run.history) - 1


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5]), min_size=14, max_size=14), st.integers(0, 13))
def test_the_first_of_equal_maxima_wins(row, answer):
    table, count = np.zeros((10, 10), np.uint32), np.zeros(1, np.uint32)
    p, nodes = np.array([row], np.float32), np.zeros((100, 3), np.uint32)
    count_solved(p, nodes, np.full((100, 3), answer, np.uint32), table, count)
    right = int(np.argmax(p[0]) == answer)
    assert table.min() == table.max() == right
    assert count[0] == 100 * right


def test_a_model_of_nan_has_solved_nothing(kernel):
    kernel.call("initialize", 1)
    kernel.view("parameters")[:] = np.nan
    kernel.call("batch_forward")
    assert np.isnan(kernel.view("P")).all()
    assert kernel.view("solved.count")[0] == 0
