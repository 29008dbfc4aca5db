// The exchanges in the records of a web archive, of any program. Records that cannot be used are counted.
import { createHash } from 'node:crypto';
import { readHead } from '../../archive/http-head.ts';
import { type ReadLimits, type ReadRecord, readRecords } from '../../archive/warc-reader.ts';
import { base32 } from '../../archive/warc-writer.ts';
import type { NewExchange } from '../../store/ports/files/archive-store.ts';
import { withoutChunks } from './without-chunks.ts';

/** Why records were left out. */
export type WhyLeftOut = 'tooLarge' | 'wrongDigest' | 'unknownPayload' | 'noAddress' | 'noResponse';

export interface ReadRules {
  limits: ReadLimits;
  /** For records without a date, and for dates after it. */
  now: number;
  /** The payloads that records were read with, by the digests that these name. Shared by all files of an archive. */
  payloads: Map<string, string>;
  onLeftOut(why: WhyLeftOut): void;
}

const MAX_URL_LENGTH = 16_384;
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_PAYLOADS = 200_000;
const HEAD_END = Buffer.from('\r\n\r\n');
const HTTP = /^\s*application\/http\b/i;

/** A request may stand before or after its response. */
interface Asked {
  url: string;
  method: string;
  head: Uint8Array;
}

/** Throws ArchiveDamage after the last record that could be read. */
export async function* readExchanges(bytes: Uint8Array, options: ReadRules): AsyncGenerator<NewExchange> {
  let asked: Asked | undefined;
  let waiting: NewExchange | undefined;
  const flush = () => {
    const ready = waiting;
    waiting = undefined;
    return ready ? [ready] : [];
  };
  try {
    for await (const record of readRecords(bytes, options.limits)) {
      const type = record.fields.get('warc-type')?.toLowerCase();
      if (type === 'request') {
        asked = requestOf(record);
        if (waiting && asked?.url === waiting.url) {
          waiting = { ...waiting, method: asked.method, request: asked.head };
          asked = undefined;
        }
      } else if (type === 'response' || type === 'revisit' || type === 'resource') {
        yield* flush();
        waiting = exchangeOf(record, type, options);
        if (waiting && asked?.url === waiting.url) waiting = { ...waiting, method: asked.method, request: asked.head };
        asked = undefined;
      }
    }
  } finally {
    // What was read before the damage is whole.
    yield* flush();
  }
}

function exchangeOf(
  { fields, block }: ReadRecord,
  type: 'response' | 'revisit' | 'resource',
  { now, payloads, onLeftOut }: ReadRules,
): NewExchange | undefined {
  const leave = (why: WhyLeftOut) => void onLeftOut(why);
  const url = addressOf(fields.get('warc-target-uri'));
  if (!url) return leave('noAddress');
  if (!block) return leave('tooLarge');
  if (!isDigestOf(fields.get('warc-block-digest'), [block])) return leave('wrongDigest');
  const message = type === 'resource' ? asResponse(block, fields.get('content-type')) : split(block, fields);
  const head = message && readHead(message.head);
  if (!message || !head) return leave('noResponse');
  const coding = head.headers.find(([name]) => /^transfer-encoding$/i.test(name))?.[1];
  const body = /chunked/i.test(coding ?? '') ? withoutChunks(message.body) : message.body;
  const named = fields.get('warc-payload-digest');
  const isRevisit = type === 'revisit';
  // Tools do not agree whether the transfer coding is a part of the payload.
  if (!isRevisit && !isDigestOf(named, [body, message.body])) return leave('wrongDigest');
  const digest = isRevisit ? payloads.get(named ?? '') : createHash('sha256').update(body).digest('hex');
  if (digest === undefined) return leave('unknownPayload');
  if (named !== undefined && payloads.size < MAX_PAYLOADS) payloads.set(named, digest);
  const contentType = head.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  return {
    url: url.href,
    method: 'GET',
    at: timeOf(fields.get('warc-date'), now),
    status: head.status,
    type: contentType.split(';', 1)[0]!.trim().toLowerCase(),
    request: Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`),
    response: rewritten(head),
    ...(!isRevisit && { body }),
    digest,
    isTruncated: fields.has('warc-truncated'),
  };
}

function requestOf({ fields, block }: ReadRecord): Asked | undefined {
  const url = addressOf(fields.get('warc-target-uri'));
  const end = block ? Buffer.from(block.buffer, block.byteOffset, block.byteLength).indexOf(HEAD_END) : -1;
  if (!url || !block || end < 0 || end > MAX_HEAD_BYTES) return undefined;
  const head = Buffer.from(block.buffer, block.byteOffset, end + HEAD_END.length);
  const [, method] = /^([A-Z]{1,20}) /.exec(head.toString('latin1')) ?? [];
  return method === undefined ? undefined : { url: url.href, method, head: new Uint8Array(head) };
}

/** Without the address of a part of a page, and without user names, which no request may have here. */
function addressOf(text = ''): URL | undefined {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text.replace(/^<(.*)>$/, '$1'));
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url;
}

function split(block: Uint8Array, fields: ReadonlyMap<string, string>) {
  if (!HTTP.test(fields.get('content-type') ?? '')) return undefined;
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const found = bytes.indexOf(HEAD_END);
  // A revisit may end with its head.
  const end = found < 0 ? bytes.byteLength : found + HEAD_END.length;
  return end > MAX_HEAD_BYTES ? undefined : { head: bytes.subarray(0, end), body: bytes.subarray(end) };
}

const asResponse = (body: Uint8Array, type = 'application/octet-stream') => ({
  head: Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type.replace(/[^\x20-\x7e]/g, '')}\r\n\r\n`),
  body,
});

/** Only what is a header is kept, as it was; the transfer coding is undone. */
function rewritten({ status, headers }: { status: number; headers: [string, string][] }): Uint8Array {
  const lines = headers.map(
    ([name, value]) => `${/^transfer-encoding$/i.test(name) ? `X-Orig-${name}` : name}: ${value}`,
  );
  return Buffer.from([`HTTP/1.1 ${status} `, ...lines, '', ''].join('\r\n'), 'latin1');
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1: 'sha1',
  sha256: 'sha256',
  'sha-256': 'sha256',
  'sha-1': 'sha1',
  md5: 'md5',
};

/** Whether one of these has that digest. A hash that is not known is not checked. */
function isDigestOf(named: string | undefined, candidates: readonly Uint8Array[]): boolean {
  const [, name = '', digest = ''] = /^([\w-]+):([\w=+/-]+)$/.exec(named ?? '') ?? [];
  const algorithm = ALGORITHMS[name.toLowerCase()];
  if (algorithm === undefined) return true;
  return candidates.some((bytes) => {
    const made = createHash(algorithm).update(bytes).digest();
    return digest.toLowerCase() === made.toString('hex') || digest.toUpperCase().replace(/=+$/, '') === base32(made);
  });
}

function timeOf(text: string | undefined, now: number): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) || time < 0 || time > now ? now : time;
}
