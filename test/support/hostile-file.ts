// A file that means harm, or is broken, and what may come of it.
import type { ErrorCode } from '../../src/contracts/errors.ts';

/** `document`: it is read; `none`: it is no document at all. */
export type Ending = 'document' | 'none' | Extract<ErrorCode, `DOCUMENT_${string}`>;

export interface HostileFile {
  /** What is wrong with it. */
  title: string;
  /** As it would be called; the extension matters only where the bytes leave it open. */
  name: string;
  bytes: () => Uint8Array;
  /** Any of these; all of the table where engines may differ with their version. */
  endings: readonly Ending[];
}

export const REFUSED: readonly Ending[] = ['DOCUMENT_DAMAGED', 'DOCUMENT_TOO_COMPLEX'];
/** Read as far as it goes, or refused: both are fine for a file that is merely broken. */
export const EITHER: readonly Ending[] = ['document', ...REFUSED];

/** Numbers that look random and are the same every time. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
