// For test files of both runs with some cases that only the full run needs: those are a `fullTest`, and the others a `test` from
// here, so that either can be left out. A suite whose cases are all a `fullTest` is a `fullDescribe`, because hooks of an
// empty suite run as well.
import { describe, test as nodeTest } from 'node:test';
import type { Part } from '../../scripts/test/parts.ts';

export let test = nodeTest;
export let fullTest = nodeTest;
export let fullDescribe = describe;

const omit = (async () => {}) as unknown as typeof nodeTest & typeof describe;

/** Said of each file before it is loaded, by scripts/test/inside/worker.ts. */
export function setPart(part: Part): void {
  test = part === 'rest' ? omit : nodeTest;
  fullTest = part === 'short' ? omit : nodeTest;
  fullDescribe = part === 'short' ? omit : describe;
}
