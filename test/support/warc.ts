// A strict reader of web archives (WARC 1.1): whatever a record must have and be is checked.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { crc32, createInflateRaw } from 'node:zlib';

export interface ReadRecord {
  headers: Map<string, string>;
  content: Buffer;
}

const GZIP_HEAD = 10;
const GZIP_TAIL = 8;
const REQUIRED = ['warc-type', 'warc-record-id', 'warc-date', 'content-length'];
const ID = /^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/;

/** Each record must be a gzip member of its own. */
export async function readWarc(file: Uint8Array): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  for (let at = 0; at < file.byteLength; ) {
    const { content, length } = await readMember(file.subarray(at));
    records.push(readRecord(content));
    at += length;
  }
  checkFile(records);
  return records;
}

async function readMember(bytes: Uint8Array): Promise<{ content: Buffer; length: number }> {
  assert.deepEqual([...bytes.subarray(0, 4)], [0x1f, 0x8b, 8, 0], 'a gzip member without extra fields');
  const inflate = createInflateRaw();
  inflate.end(bytes.subarray(GZIP_HEAD));
  const content = Buffer.concat(await inflate.toArray());
  const length = GZIP_HEAD + inflate.bytesWritten + GZIP_TAIL;
  const tail = Buffer.from(bytes.subarray(length - GZIP_TAIL, length));
  assert.equal(tail.readUInt32LE(0), crc32(content), 'the checksum of the member');
  assert.equal(tail.readUInt32LE(4), content.byteLength % 2 ** 32);
  return { content, length };
}

function readRecord(bytes: Buffer): ReadRecord {
  const end = bytes.indexOf('\r\n\r\n');
  assert.ok(end > 0, 'a record has headers');
  const [version, ...lines] = bytes.subarray(0, end).toString().split('\r\n');
  assert.equal(version, 'WARC/1.1');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? assert.fail(`not a header: ${line}`);
    assert.ok(!headers.has(name!.toLowerCase()), `${name} stands there once`);
    headers.set(name!.toLowerCase(), value!);
  }
  for (const name of REQUIRED) assert.ok(headers.has(name), `a record needs ${name}`);
  const length = Number(headers.get('content-length'));
  const content = bytes.subarray(end + 4, end + 4 + length);
  assert.equal(content.byteLength, length);
  assert.equal(bytes.subarray(end + 4 + length).toString('latin1'), '\r\n\r\n', 'two line breaks end a record');
  checkHeaders(headers, content);
  return { headers, content };
}

function checkHeaders(headers: Map<string, string>, content: Buffer): void {
  assert.match(headers.get('warc-record-id')!, ID);
  assert.match(headers.get('warc-date')!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/);
  assert.equal(headers.get('warc-block-digest'), `sha1:${sha1(content)}`);
  checkPayload(headers, content);
  const target = headers.get('warc-target-uri');
  if (target !== undefined) assert.equal(new URL(target).href, target);
  else assert.ok(['warcinfo', 'metadata'].includes(headers.get('warc-type')!), 'the record needs a target');
}

/** A revisit carries none: its digest is that of the record it refers to. */
function checkPayload(headers: Map<string, string>, content: Buffer): void {
  const digest = headers.get('warc-payload-digest');
  if (digest === undefined || headers.get('warc-type') === 'revisit') return;
  const payload = content.subarray(content.indexOf('\r\n\r\n') + 4);
  const isResponse = headers.get('warc-type') === 'response';
  const expected = isResponse
    ? `sha256:${createHash('sha256').update(payload).digest('hex')}`
    : `sha1:${sha1(content)}`;
  assert.equal(digest, expected);
}

function checkFile(records: readonly ReadRecord[]): void {
  const ids = records.map(({ headers }) => headers.get('warc-record-id')!);
  assert.equal(new Set(ids).size, ids.length, 'each ID is used once');
  assert.equal(records[0]?.headers.get('warc-type'), 'warcinfo');
  for (const { headers } of records.slice(1)) {
    assert.equal(headers.get('warc-warcinfo-id'), ids[0]);
    const refersTo = headers.get('warc-refers-to');
    if (refersTo !== undefined) assert.ok(ids.includes(refersTo), 'it refers to a record of the file');
  }
}

/** In base 32, by another way than the writer: as a number. */
function sha1(content: Buffer): string {
  const number = BigInt(`0x${createHash('sha1').update(content).digest('hex')}`);
  const digits = number.toString(32).padStart(32, '0');
  return digits.replace(/./g, (digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(digit, 32)]!);
}
