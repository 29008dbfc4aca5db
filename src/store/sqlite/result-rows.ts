// The contents of results, as documents are made of them.
import { contentOf } from '../encoding/stored-outcome.ts';
import type { Bodies } from './bodies.ts';

export interface ResultRows {
  /** The content as JSON text. */
  readContent(bodyId: number): Uint8Array | undefined;
  /** The contents of a list that is about to be read. */
  expect(bodyIds: readonly number[]): void;
}

export const createResultRows = (bodies: Pick<Bodies, 'read' | 'expect'>): ResultRows => ({
  readContent(bodyId) {
    const stored = bodies.read(bodyId);
    return stored && contentOf(stored);
  },
  expect: bodies.expect,
});
