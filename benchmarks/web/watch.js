// Notes when the page shows the step that its address asks for.
const wanted = new URLSearchParams(location.search).get("step");

function look() {
  const bar = document.querySelector("abh-timeline [data-cell='adam.step']");
  if (bar !== null && bar.dataset.value === wanted) window.shown = performance.now();
  else requestAnimationFrame(look);
}

look();
