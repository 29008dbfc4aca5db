// The records of an archive (WARC 1.1): what was received, what was sent for it, and which payloads came again.
import { recordId, type WarcRecord, writeRecord } from '../../archive/warc-writer.ts';
import { readVersion } from '../../runtime/version.ts';
import type { ArchivedExchange, ArchiveStore, StoredArchive } from '../../store/ports/files/archive-store.ts';

export type RecordStore = Pick<ArchiveStore, 'exchanges' | 'payload' | 'keys'>;

export interface WrittenRecords {
  bytes: Uint8Array;
  /** The exchange whose response is the first of these records. Absent for notes, which no index has. */
  indexed?: ArchivedExchange;
  /** Bytes of that first record. */
  length: number;
  isRevisit?: boolean;
}

const BATCH = 100;
const HTTP_RESPONSE = 'application/http; msgtype=response';
const HTTP_REQUEST = 'application/http; msgtype=request';

/** The record that a file begins with. */
export function writeInfo({ id, kind, removed, createdAt }: StoredArchive): Promise<Uint8Array> {
  const fields = {
    software: `Trawl/${readVersion()}`,
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    isPartOf: `${kind}-${id}`,
    description:
      'Responses as they were received, after transfer codings were undone. Credentials of requests are left out.',
    ...(removed > 0 && { removed: String(removed) }),
  };
  const content = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return writeRecord({
    type: 'warcinfo',
    id: infoId(id),
    date: new Date(createdAt),
    contentType: 'application/warc-fields',
    content: Buffer.from(content.join('')),
  });
}

/** One exchange at a time is in memory. */
export async function* writeRecords(
  archives: RecordStore,
  { id }: Pick<StoredArchive, 'id'>,
  signal: AbortSignal,
): AsyncGenerator<WrittenRecords> {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const exchanges = await archives.exchanges(id, after, BATCH);
    for (const exchange of exchanges) yield await writeExchange(archives, id, exchange);
    if (exchanges.length < BATCH) return;
    after = exchanges.at(-1)!.number;
  }
}

async function writeExchange(archives: RecordStore, id: string, exchange: ArchivedExchange): Promise<WrittenRecords> {
  const { number, url, at, digest, payload, size, first, request, response, isTruncated } = exchange;
  const common = { date: new Date(at), target: url, info: infoId(id) };
  const responseId = recordId(`${id} ${number} response`);
  const body = payload === undefined ? undefined : await archives.payload(payload);
  if (!body) {
    const note = await writeRecord({ ...common, ...noteOf(id, exchange) });
    return { bytes: note, length: note.byteLength };
  }
  // What is empty is not worth to be looked up elsewhere.
  const isRevisit = first !== undefined && size > 0;
  const received = await writeRecord({
    ...{ ...common, id: responseId, contentType: HTTP_RESPONSE, payloadDigest: `sha256:${digest}` },
    ...(isRevisit
      ? {
          type: 'revisit' as const,
          content: response,
          refersTo: recordId(`${id} ${first.number} response`),
          firstSeen: { target: first.url, date: new Date(first.at) },
        }
      : { type: 'response' as const, content: Buffer.concat([response, body]) }),
    isTruncated,
  });
  const sent = await writeRecord({
    ...{ ...common, id: recordId(`${id} ${number} request`), contentType: HTTP_REQUEST },
    ...{ type: 'request' as const, content: request, concurrentTo: responseId },
  });
  return { bytes: Buffer.concat([received, sent]), length: received.byteLength, indexed: exchange, isRevisit };
}

const noteOf = (id: string, { number, digest }: ArchivedExchange): Omit<WarcRecord, 'date'> => ({
  type: 'metadata',
  id: recordId(`${id} ${number} note`),
  contentType: 'application/json',
  content: Buffer.from(JSON.stringify({ removed: true, digest: `sha256:${digest}` })),
});

const infoId = (id: string): string => recordId(`${id} archive`);
