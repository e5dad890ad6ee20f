// The model in TensorFlow.js, written the usual way. `window.bench` answers as worker.py does.
/* global tf */
const { backend, data } = await (await fetch(`/problem.json?${location.search.slice(1)}`)).json();
if (backend === "wasm") tf.wasm.setWasmPaths("/tf-wasm/");
if (!(await tf.setBackend(backend))) throw new Error(`TensorFlow.js has no backend ${backend} here`);
await tf.ready();

const HEADS = 2;
const WIDTH = 8;
const [rows, n] = [data.tokens.length, data.tokens[0].length];
const tokens = tf.oneHot(tf.tensor2d(data.tokens, undefined, "int32"), 14).toFloat().reshape([rows * n, 14]);
const targets = tf.oneHot(tf.tensor2d(data.targets, undefined, "int32"), 14).toFloat();
const counts = tf.tensor2d(data.counts);
const total = tf.sum(counts);
const past = tf.tensor2d(
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j <= i ? 0 : -1e9))),
);

function start() {
  tf.disposeVariables();
  const tree = {};
  for (const [name, { shape, cells }] of Object.entries(data.tree)) tree[name] = tf.variable(tf.tensor(cells, shape));
  const adam = (rate) => tf.train.adam(rate, data.beta1, data.beta2, data.epsilon);
  return { tree, optimizers: { rest: adam(data.rate), lm: adam(data.lm) } };
}

function norm(x, tree, name) {
  const { mean, variance } = tf.moments(x, -1, true);
  const hat = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5)));
  return tf.add(tf.mul(hat, tree[`${name}.gain`]), tree[`${name}.bias`]);
}

function split(x) {
  return x.reshape([rows, n, HEADS, WIDTH / HEADS]).transpose([0, 2, 1, 3]);
}

function logits(tree) {
  // One-hot products for the tables: TensorFlow.js has a gradient of gather for its cpu and webgl backends only.
  let x = tf.add(tf.matMul(tokens, tree.TokenEmb).reshape([rows, n, WIDTH]), tree.PosEmb.slice([0, 0], [n, WIDTH]));
  for (let layer = 0; layer < 2; layer += 1) {
    const normed = norm(x, tree, `${layer}.LN1`).reshape([rows * n, WIDTH]);
    const [q, k, v] = ["WQ", "WK", "WV"].map((name) => split(tf.matMul(normed, tree[`${layer}.${name}`])));
    const scores = tf.add(tf.div(tf.matMul(q, k, false, true), 2), past);
    const heads = tf.matMul(tf.softmax(scores), v).transpose([0, 2, 1, 3]).reshape([rows * n, WIDTH]);
    x = tf.add(x, tf.matMul(heads, tree[`${layer}.WO`]).reshape([rows, n, WIDTH]));
    const normed2 = norm(x, tree, `${layer}.LN2`).reshape([rows * n, WIDTH]);
    const hidden = tf.relu(tf.add(tf.matMul(normed2, tree[`${layer}.W1`]), tree[`${layer}.b1`]));
    x = tf.add(x, tf.add(tf.matMul(hidden, tree[`${layer}.W2`]), tree[`${layer}.b2`]).reshape([rows, n, WIDTH]));
  }
  return tf.matMul(norm(x, tree, "FinalLN").reshape([rows * n, WIDTH]), tree.LM).reshape([rows, n, 14]);
}

function step({ tree, optimizers }) {
  const { value, grads } = tf.variableGrads(() => {
    const logP = tf.logSoftmax(logits(tree));
    return tf.neg(tf.div(tf.sum(tf.mul(tf.sum(tf.mul(logP, targets), -1), counts)), total));
  }, Object.values(tree));
  const { [tree.LM.name]: lm, ...rest } = grads;
  optimizers.rest.applyGradients(rest);
  optimizers.lm.applyGradients({ [tree.LM.name]: lm });
  tf.dispose(grads);
  return value;
}

async function solvedCount({ tree }) {
  const best = tf.tidy(() => logits(tree).argMax(-1));
  const found = await best.array();
  best.dispose();
  return found.filter((row, problem) =>
    row.every((to, at) => at < 3 || data.counts[problem][at] === 0 || to === data.targets[problem][at]),
  ).length;
}

const running = start();
window.bench = {
  async round(steps) {
    const begun = performance.now();
    for (let at = 0; at < steps; at += 1) {
      const loss = step(running);
      await loss.data();
      loss.dispose();
    }
    return { ms: (performance.now() - begun) / steps };
  },
  // Looks every ten steps, and does not count the time of looking.
  async solve() {
    const run = start();
    let seconds = 0;
    for (let steps = 1; steps <= 1000; steps += 1) {
      const begun = performance.now();
      const loss = step(run);
      await loss.data();
      loss.dispose();
      seconds += (performance.now() - begun) / 1000;
      if (steps % 10 === 0 && (await solvedCount(run)) === 100) return { steps, seconds };
    }
    return { steps: Number.NaN, seconds: Number.NaN };
  },
};
