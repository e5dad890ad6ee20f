/**
 * SHA-256 (FIPS 180-4). The browser's own is missing on pages served over plain http from another machine,
 * as in a classroom, and the digest must be shown there too.
 */

const FIRST_PRIMES = (() => {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
})();

/** The first 32 bits of the fractional part. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;

/** Cube roots by Newton's method: `Math.cbrt` may differ in its last bit between engines, this does not matter to 32 bits. */
function cubeRoot(n: number): number {
  let x = n;
  for (let i = 0; i < 60; i += 1) x -= (x * x * x - n) / (3 * x * x);
  return x;
}

const ROUND = Int32Array.from(FIRST_PRIMES, (p) => fraction(cubeRoot(p)));
const START = Int32Array.from(FIRST_PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));

const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

function block(state: Int32Array, bytes: DataView, offset: number, w: Int32Array): void {
  for (let t = 0; t < 16; t += 1) w[t] = bytes.getInt32(offset + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const x = w[t - 15] as number;
    const y = w[t - 2] as number;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let t = 0; t < 64; t += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[t] as number) + (w[t] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] as number) + word) | 0;
}

/** SHA-256 of some bytes, as 64 lowercase hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = START.slice();
  const words = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) block(state, view, offset, words);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The digest of a step: SHA-256 over the little-endian bytes of all parameters. */
export function digestOf(parameters: Float32Array): string {
  const bytes = new Uint8Array(parameters.length * 4);
  const view = new DataView(bytes.buffer);
  parameters.forEach((value, i) => {
    view.setFloat32(4 * i, value, true);
  });
  return sha256(bytes);
}
