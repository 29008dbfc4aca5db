// Reads the records of a web archive (WARC) from hostile bytes, one after the other: within limits, and up to the first damage.

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ArchiveDamage } from './archive-damage.ts';
import { createByteSource } from './byte-source.ts';

export interface ReadRecord {
  /** By their names in lower case. */
  fields: ReadonlyMap<string, string>;
  /** Absent if it is larger than the limit. */
  block?: Uint8Array;
}

export interface ReadLimits {
  /** Larger records are left out. */
  recordBytes: number;
  /** Everything together, after decompression. */
  totalBytes: number;
}

const HEAD_BYTES = 64 * 1024;
const VERSION = /^WARC\/(?:0\.1[78]|1\.[01])$/;
const FIELD = /^([^:\s]+):[ \t]*(.*)$/;
const CHUNK = 64 * 1024;

/** Throws ArchiveDamage. */
export async function* readRecords(bytes: Uint8Array, limits: ReadLimits): AsyncGenerator<ReadRecord> {
  const source = createByteSource(unpacked(bytes, limits.totalBytes));
  try {
    for (;;) {
      const first = await source.line(HEAD_BYTES);
      if (first === undefined) return;
      // What ends a record; some writers put more lines there.
      if (first === '') continue;
      if (!VERSION.test(first)) throw new ArchiveDamage('something else stands where a record should begin');
      const fields = await readFields(source);
      const length = Number(fields.get('content-length') ?? Number.NaN);
      if (!Number.isSafeInteger(length) || length < 0) throw new ArchiveDamage('a record does not say how long it is');
      if (length > limits.recordBytes) {
        if (!(await source.skip(length))) throw cutOff();
        yield { fields };
        continue;
      }
      const block = await source.take(length);
      if (!block) throw cutOff();
      yield { fields, block };
    }
  } catch (error) {
    throw error instanceof ArchiveDamage
      ? error
      : new ArchiveDamage('its compressed data is damaged or cut off', { cause: error });
  } finally {
    await source.close();
  }
}

const cutOff = () => new ArchiveDamage('it ends in the middle of a record');

type Source = ReturnType<typeof createByteSource>;

async function readFields(source: Source): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  let last = '';
  for (let bytes = 0; ; ) {
    const line = await source.line(HEAD_BYTES);
    if (line === undefined) throw cutOff();
    if (line === '') return fields;
    bytes += line.length;
    if (bytes > HEAD_BYTES) throw new ArchiveDamage('the head of a record has no end');
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      last = name.toLowerCase();
      // The first one counts.
      if (!fields.has(last)) fields.set(last, value.trim());
    } else if (/^[ \t]/.test(line) && fields.has(last)) fields.set(last, `${fields.get(last)} ${line.trim()}`);
    else throw new ArchiveDamage('a line in the head of a record is not a header');
  }
}

/** Several members are read as one. */
async function* unpacked(bytes: Uint8Array, totalBytes: number): AsyncGenerator<Uint8Array> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = Readable.from(chunksOf(bytes));
  const source = isPacked ? plain.pipe(createGunzip({ chunkSize: CHUNK })) : plain;
  let total = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    total += chunk.byteLength;
    if (total > totalBytes) throw new ArchiveDamage('it unpacks to more than an archive may have');
    yield chunk;
  }
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
