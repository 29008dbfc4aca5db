// A hostile or broken file, and how reading it may end.
import type { ErrorCode } from '../../../src/contracts/errors/errors.ts';

/** `document`: it was read. `none`: no parser knows this kind of file. */
export type Ending = 'document' | 'none' | Extract<ErrorCode, `DOCUMENT_${string}` | 'SCRAPE_UNSUPPORTED_FILE_ERROR'>;

export interface HostileFile {
  /** What is wrong with it. */
  title: string;
  /** File name. The extension matters only where the bytes do not tell the kind. */
  name: string;
  bytes: () => Uint8Array;
  /** Any of these is fine: versions of the engines may differ. */
  endings: readonly Ending[];
  /** Takes seconds to be read or refused, so it is left to the full run. */
  isSlow?: boolean;
}

export const slow = (file: HostileFile): HostileFile => ({ ...file, isSlow: true });

export const REFUSED: readonly Ending[] = ['DOCUMENT_DAMAGED', 'DOCUMENT_TOO_COMPLEX'];
/** A file that is merely broken may be read as far as possible, or refused. */
export const EITHER: readonly Ending[] = ['document', ...REFUSED];

/** Pseudo-random numbers, the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
