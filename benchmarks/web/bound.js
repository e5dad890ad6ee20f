// The peak rate of float32 SIMD multiply-adds on this machine, in the same engine.
const { instance } = await WebAssembly.instantiateStreaming(fetch("/bound.wasm"));

window.peak = {
  // Multiply-adds a second; a call of `multiply_adds(n)` does n rounds of `per` vectors of four.
  async round(rounds, per) {
    const begun = performance.now();
    instance.exports.multiply_adds(rounds);
    const seconds = (performance.now() - begun) / 1000;
    return { rate: (rounds * per * 4) / seconds };
  },
};
