// The thread that thread.test.ts talks to.
import { Moved, serveThread } from '../../../../src/runtime/threads/thread.ts';

export interface Calculator {
  add(a: number, b: number): Promise<number>;
  fail(message: string, bytes?: Uint8Array): Promise<void>;
  bytes: {
    /** Returns the length of the buffer as it arrived. */
    measure(bytes: Uint8Array): Promise<number>;
    make(length: number): Promise<Uint8Array>;
  };
}

serveThread<Calculator>({
  add: (a, b) => a + b,
  fail: (message) => {
    throw new RangeError(message);
  },
  bytes: {
    measure: (bytes) => bytes.byteLength,
    make: (length) => {
      const bytes = new Uint8Array(length);
      return new Moved(bytes, [bytes.buffer]);
    },
  },
});
