/** The safetensors format: a length, a JSON header, and the bytes of the tensors. */

export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export interface TensorFile {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** Reads a file; null where it is none, or not whole. */
export function readTensors(file: ArrayBuffer): TensorFile | null {
  if (file.byteLength < 8) return null;
  const length = Number(new DataView(file).getBigUint64(0, true));
  if (length > file.byteLength - 8) return null;
  try {
    const header = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(file, 8, length)),
    ) as Record<string, unknown>;
    const body = new Uint8Array(file, 8 + length);
    const tensors = new Map<string, Tensor>();
    let end = 0;
    for (const [name, value] of Object.entries(header)) {
      if (name === "__metadata__") continue;
      const {
        dtype,
        shape,
        data_offsets: offsets,
      } = value as { dtype: string; shape: number[]; data_offsets: number[] };
      const [from, to] = offsets as [number, number];
      if (!(from >= 0 && from <= to && to <= body.length)) return null;
      tensors.set(name, { dtype, shape, bytes: body.slice(from, to) });
      end = Math.max(end, to);
    }
    if (end !== body.length) return null;
    return { metadata: (header.__metadata__ ?? {}) as Record<string, string>, tensors };
  } catch {
    return null;
  }
}

export interface Floats {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

const sorted = <T>(object: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => byName(a, b)));

/** Writes float32 tensors, ordered by name as the library does: equal models give equal files. */
export function writeTensors(
  tensors: readonly Floats[],
  metadata: Readonly<Record<string, string>>,
): ArrayBuffer {
  const header: Record<string, unknown> = { __metadata__: sorted(metadata) };
  const ordered = [...tensors].sort((a, b) => byName(a.name, b.name));
  let at = 0;
  for (const { name, shape, values } of ordered) {
    header[name] = { data_offsets: [at, at + 4 * values.length], dtype: "F32", shape };
    at += 4 * values.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(sorted(header)));
  // The tensors begin at a multiple of 8; the header is filled up with spaces.
  const padded = Math.ceil(text.length / 8) * 8;
  const file = new ArrayBuffer(8 + padded + at);
  const view = new DataView(file);
  view.setBigUint64(0, BigInt(padded), true);
  const bytes = new Uint8Array(file);
  bytes.fill(0x20, 8, 8 + padded);
  bytes.set(text, 8);
  let word = 8 + padded;
  for (const { values } of ordered) {
    for (const value of values) {
      view.setFloat32(word, value, true);
      word += 4;
    }
  }
  return file;
}
