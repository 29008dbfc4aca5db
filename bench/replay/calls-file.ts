// The recorded calls of one thread: what it was started with, every call in the order in which it came, and between them which
// calls had been answered by then. Calls that overlapped overlap again when they are replayed.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

export interface RecordedCall {
  id: number;
  method: string;
  args: unknown[];
  /** Whether buffers of the arguments were moved, not copied. */
  isMoved: boolean;
}

export type RecordedEvent =
  | { settings: unknown }
  /** When it came, in milliseconds since 1970. */
  | { call: RecordedCall; at: number }
  /** The size of the answer tells whether another version does the same. */
  | { answered: number; size: number };

const LENGTH_BYTES = 4;

export const sizeOf = (answer: object): number =>
  JSON.stringify(answer, (_, value: unknown) => (ArrayBuffer.isView(value) ? value.byteLength : value)).length;

export function createCallsFile(path: string): (event: RecordedEvent) => void {
  const file = openSync(path, 'a');
  return (event) => {
    const bytes = serialize(event);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.byteLength);
    writeSync(file, length);
    writeSync(file, bytes);
  };
}

/** One event at a time, since all of them together are larger than what is measured. */
export function* readCalls(path: string): Generator<RecordedEvent, void> {
  const file = openSync(path, 'r');
  const read = (size: number): Buffer | undefined => {
    const bytes = Buffer.alloc(size);
    return readSync(file, bytes) === size ? bytes : undefined;
  };
  try {
    for (let length = read(LENGTH_BYTES); length; length = read(LENGTH_BYTES)) {
      const bytes = read(length.readUInt32LE());
      if (!bytes) return;
      yield deserialize(bytes) as RecordedEvent;
    }
  } finally {
    closeSync(file);
  }
}
