"""Scrubbing with the page full of figures: how long the frames are is measured and told."""

from __future__ import annotations

import pytest

from .conftest import Open, pause

SCRUB = """
async () => {
  const app = document.querySelector('abh-timeline').app;
  const frame = () => new Promise(done => requestAnimationFrame(done));
  const times = [];
  let before = await frame();
  for (let step = 0; step < 300; step++) {
    app.state.set({step});
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times.sort((a, b) => a - b);
}
"""


def test_scrubbing_300_steps(visit: Open, capsys: pytest.CaptureFixture[str]) -> None:
    query = "?seed=1&step=305&cell=layer1.head2.A[3,2]&entry=layer1.W1"
    page = visit(query=query, step=250, viewport={"width": 1100, "height": 4000}).page
    pause(page)
    updates = "document.querySelector('abh-prompt').updates"
    drawn = page.evaluate(updates)
    times = page.evaluate(SCRUB)
    with capsys.disabled():
        print(f"\nscrubbing: median frame {times[150]:.0f} ms, 95 % under {times[285]:.0f} ms")
    assert page.evaluate(updates) > drawn + 20, "the figures must follow the slider"
