// An object as a stream that outlives its connection: objects never change, so what breaks off goes on where it ended.
import { Readable } from 'node:stream';
import type { EngineAnswer } from '../../../net/engine-client.ts';
import type { ByteRange } from '../../ports/files/file-store.ts';
import { asUnavailable, S3Fault } from './s3-fault.ts';

/** Requests a range of one object. Undefined if the object does not exist. */
export type RequestRange = (range: ByteRange | undefined) => Promise<EngineAnswer | undefined>;

/** A download that breaks more often is given up. */
const MOST_BREAKS = 4;

export async function openStream(request: RequestRange, range: ByteRange | undefined): Promise<Readable | undefined> {
  const answer = await request(range);
  return answer && Readable.from(readOn(request, answer, range), { objectMode: false });
}

/** The answer, if it is what was asked for: a store that ignores a range must not pass for one that has sent it. */
export async function checkRange(answer: EngineAnswer, range: ByteRange | undefined): Promise<EngineAnswer> {
  const { status, headers, body } = answer;
  if (range === undefined) return answer;
  if (status === 206 && String(headers['content-range']).startsWith(`bytes ${range.start}-${range.end}/`))
    return answer;
  body.destroy();
  throw new S3Fault('an answer without the range that was asked for', { status: 501 });
}

async function* readOn(
  request: RequestRange,
  first: EngineAnswer,
  range: ByteRange | undefined,
): AsyncGenerator<Uint8Array> {
  let at = range?.start ?? 0;
  const end = range?.end ?? Number(first.headers['content-length'] ?? Number.NaN) - 1;
  let { body } = first;
  let pieces = body[Symbol.asyncIterator]();
  try {
    for (let breaks = 0; ; ) {
      let piece: IteratorResult<Uint8Array>;
      try {
        piece = await pieces.next();
      } catch (error) {
        breaks += 1;
        const next = breaks <= MOST_BREAKS && at <= end ? await request({ start: at, end }) : undefined;
        if (!next) throw asUnavailable(error);
        ({ body } = next);
        pieces = body[Symbol.asyncIterator]();
        continue;
      }
      if (piece.done) return;
      at += piece.value.byteLength;
      yield piece.value;
    }
  } finally {
    // The reader may leave in the middle.
    body.destroy();
  }
}
