// Writes records of a web archive (WARC 1.1, ISO 28500), each compressed for itself, as tools for archives expect.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { assert } from '../util/assert.ts';
import { DEFLATE_LEVEL } from './zip-writer.ts';

export interface WarcRecord {
  type: 'warcinfo' | 'resource' | 'conversion' | 'metadata' | 'request' | 'response' | 'revisit';
  /** A URN; see `recordId`. */
  id: string;
  date: Date;
  /** The address that the content belongs to. */
  target?: string;
  /** The record that this one was made from, or describes. */
  refersTo?: string;
  /** The record that describes the file. */
  info?: string;
  contentType: string;
  content: Uint8Array;
  /** What a response carries, or carried when it was first seen: the name of the hash, a colon and the digest. */
  payloadDigest?: string;
  /** The response that a revisit has the payload of. */
  firstSeen?: { target: string; date: Date };
  /** The record that belongs to the same exchange. */
  concurrentTo?: string;
  /** The payload is not whole. */
  isTruncated?: boolean;
}

const compress = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SAME_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const NO_LINE_BREAK = /^[\x20-\x7e]*$/;

export async function writeRecord(record: WarcRecord): Promise<Uint8Array> {
  const { type, id, date, target, refersTo, info, contentType, content, firstSeen, concurrentTo } = record;
  const digest = `sha1:${base32(createHash('sha1').update(content).digest())}`;
  const headers: [name: string, value: string | undefined][] = [
    ['WARC-Type', type],
    ['WARC-Record-ID', `<${id}>`],
    ['WARC-Date', date.toISOString()],
    ['WARC-Target-URI', target],
    ['WARC-Refers-To', refersTo && `<${refersTo}>`],
    ['WARC-Refers-To-Target-URI', firstSeen?.target],
    ['WARC-Refers-To-Date', firstSeen?.date.toISOString()],
    ['WARC-Profile', firstSeen && SAME_PAYLOAD],
    ['WARC-Concurrent-To', concurrentTo && `<${concurrentTo}>`],
    ['WARC-Truncated', record.isTruncated ? 'unspecified' : undefined],
    ['WARC-Warcinfo-ID', info && `<${info}>`],
    ['WARC-Block-Digest', digest],
    // What a resource contains is its payload.
    ['WARC-Payload-Digest', record.payloadDigest ?? (type === 'resource' ? digest : undefined)],
    ['Content-Type', contentType],
    ['Content-Length', String(content.byteLength)],
  ];
  const lines = headers.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`);
  assert(
    lines.every((line) => NO_LINE_BREAK.test(line)),
    'A header of a WARC record has a line break.',
  );
  const head = Buffer.from(`WARC/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return compress(Buffer.concat([head, content, Buffer.from('\r\n\r\n')]), { level: DEFLATE_LEVEL });
}

/** A UUID (RFC 9562, version 8) made from a name: the same file is the same each time that it is written. */
export function recordId(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}

/** RFC 4648 without padding: a SHA-1 has 160 bits, which are 32 characters. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31]! : text;
}
