"""After the first visit the page opens without a network."""

from __future__ import annotations

from .conftest import Open, Site, wait_for_step


def test_it_opens_without_a_network_after_the_first_visit(visit: Open, built: object) -> None:
    own = Site()
    watched = visit(at=own, step=5)
    page = watched.page
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function(
        "async () => { const [key] = await caches.keys();"
        " return key !== undefined && (await (await caches.open(key)).keys()).length > 8 }"
    )
    own.stop()
    page.context.set_offline(True)
    for language in ("en", "zh"):
        page.goto(f"{own.address}{language}/index.html?seed=8&step=30")
        wait_for_step(page, 30)
    page.goto(f"{own.address}en/")
    wait_for_step(page, 5)
