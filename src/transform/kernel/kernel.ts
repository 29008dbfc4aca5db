// Runs the compiled loops of kernel.rs. Each kernel has a memory of its own, which is laid out once and then stays as large
// as it is: what is longer than a buffer goes through it in pieces.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';

/** What kernel.rs exports. All pointers are addresses in the memory of the kernel. */
export interface KernelCalls {
  ruleOutShared(ensemble: number, row: number, first: number, last: number): void;
  scoreRows(ensemble: number, rows: number, width: number, count: number, own: number, scores: number): void;
  startStats(stats: number): void;
  breakWord(stats: number): void;
  addText(stats: number, kinds: number, denseWord: number, text: number, length: number): number;
  addCalendarName(fingerprint: number, length: number, kind: number): void;
  startFingerprint(fingerprint: number): void;
  readWords(fingerprint: number, length: number): number;
  readFileName(fingerprint: number, length: number): void;
  endFileName(fingerprint: number): void;
  finishFingerprint(fingerprint: number, result: number): void;
}

export interface Kernel {
  readonly calls: KernelCalls;
  /** Reserves zeroed memory and returns its address. */
  reserve(bytes: number): number;
  /** Reserves memory for these values and copies them there. */
  place(values: Values): number;
  /** The memory from an address on as numbers. Valid until more is reserved. */
  view<T>(Type: ValuesType<T>, address: number, length: number): T;
}

type Values = Uint8Array | Uint16Array | Int32Array | Float32Array;
type ValuesType<T> = new (buffer: ArrayBuffer, start: number, length: number) => T;

interface Exports extends KernelCalls {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  __heap_base: { readonly value: number };
}

/** The part of the platform's interface that is used here. Its types are among those of browsers only. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
  validate(bytes: Uint8Array): boolean;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

const PAGE = 65_536;
/** Everything begins at a multiple of the largest number. */
const ALIGNMENT = 8;

export type KernelFile = 'kernel-simd.wasm' | 'kernel.wasm';

const bytesOf = (file: KernelFile) => readFileSync(join(import.meta.dirname, file));

/** The usual module uses SIMD, which x64 processors without SSE 4.1 do not have. Both give the same results. */
const usual = lazy(() => {
  const simd = bytesOf('kernel-simd.wasm');
  return new WebAssembly.Module(WebAssembly.validate(simd) ? simd : bytesOf('kernel.wasm'));
});

export function createKernel(file?: KernelFile): Kernel {
  const module = file === undefined ? usual() : new WebAssembly.Module(bytesOf(file));
  const { memory, __heap_base, ...calls } = new WebAssembly.Instance(module).exports as Exports;
  let end = __heap_base.value;

  function reserve(bytes: number): number {
    const address = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    end = address + bytes;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  return {
    calls,
    reserve,
    place(values) {
      const address = reserve(values.byteLength);
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      new Uint8Array(memory.buffer).set(bytes, address);
      return address;
    },
    view: (Type, address, length) => new Type(memory.buffer, address, length),
  };
}
