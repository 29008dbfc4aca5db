// Archives that are damaged or hostile: what can be read is read, up to the damage, and nothing hangs or grows without end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ArchiveDamage } from '../../../../src/archive/archive-damage.ts';
import { createZipWriter } from '../../../../src/archive/zip-writer.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { openArchiveFiles } from '../../../../src/operations/archives/archive-files.ts';
import { readExchanges, type WhyLeftOut } from '../../../../src/operations/archives/read-exchanges.ts';
import { withoutChunks } from '../../../../src/operations/archives/without-chunks.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_120);
const NOW = Date.parse('2026-11-20T00:00:00Z');
const LIMITS = { recordBytes: 100_000, totalBytes: 1_000_000 };

interface Fields {
  [name: string]: string | number;
}

const record = (fields: Fields, block: string | Uint8Array): Buffer => {
  const content = Buffer.from(block as string);
  const all = { 'WARC-Date': '2026-01-01T00:00:00Z', 'Content-Length': content.byteLength, ...fields };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n\r\n')]);
};
const response = (path: string, body = `page ${path}`, fields: Fields = {}, head = '') =>
  record(
    {
      'WARC-Type': 'response',
      'WARC-Target-URI': `http://site.test${path}`,
      'Content-Type': 'application/http; msgtype=response',
      ...fields,
    },
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${head}\r\n${body}`,
  );

async function read(bytes: Uint8Array) {
  const leftOut: WhyLeftOut[] = [];
  const found: string[] = [];
  let damage: string | undefined;
  try {
    const rules = { limits: LIMITS, now: NOW, payloads: new Map(), onLeftOut: (why: WhyLeftOut) => leftOut.push(why) };
    for await (const { url, body } of readExchanges(bytes, rules))
      found.push(`${url} ${Buffer.from(body ?? []).toString()}`);
  } catch (error) {
    assert.ok(error instanceof ArchiveDamage, String(error));
    damage = error.message;
  }
  return { found, leftOut, damage };
}
const good = [response('/1'), response('/2')];
const BOTH = ['http://site.test/1 page /1', 'http://site.test/2 page /2'];

describe('what is wrong with an archive is said, and what stands before it is read', () => {
  const cases: [name: string, bytes: Uint8Array, damage: RegExp][] = [
    ['is cut off in a record', Buffer.concat([...good, response('/3').subarray(0, -20)]), /ends in the middle/],
    [
      'is cut off in its compression',
      Buffer.concat([gzipSync(Buffer.concat(good)), gzipSync(response('/3')).subarray(0, 40)]),
      /damaged or cut off/,
    ],
    [
      'promises more than it has',
      Buffer.concat([...good, response('/3', 'short', { 'Content-Length': 9_000 })]),
      /ends in the middle/,
    ],
    [
      'says nonsense about a length',
      Buffer.concat([...good, response('/3', 'x', { 'Content-Length': '-5' })]),
      /how long it is/,
    ],
    ['has a line without an end', Buffer.concat([...good, Buffer.alloc(200_000, 'a')]), /no end/],
    [
      'has a head without an end',
      Buffer.concat([...good, Buffer.from(`WARC/1.1\r\n${'a: b\r\n'.repeat(20_000)}`)]),
      /no end/,
    ],
    [
      'unpacks to far more',
      gzipSync(Buffer.concat([...good, response('/3', '', { 'Content-Length': 5e9 }), Buffer.alloc(5_000_000)])),
      /more than an archive/,
    ],
    ['has an archive within', Buffer.concat([...good, gzipSync(good[0]!)]), /something else/],
  ];
  for (const [name, bytes, damage] of cases)
    test(`an archive that ${name}`, async () => {
      const outcome = await read(bytes);
      assert.deepEqual(outcome.found, BOTH);
      assert.match(outcome.damage!, damage);
    });
});

test('single records that cannot be used are left out and counted', async () => {
  const { found, leftOut, damage } = await read(
    Buffer.concat([
      response('/1'),
      response('/wrong', 'body', { 'WARC-Payload-Digest': 'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
      response('/large', 'a'.repeat(150_000)),
      response('', 'x', { 'WARC-Target-URI': 'file:///etc/passwd' }),
      response('', 'x', { 'WARC-Target-URI': 'http://user:secret@site.test/' }),
      response('/again', '', { 'WARC-Type': 'revisit', 'WARC-Payload-Digest': 'sha1:unknown' }),
      response('/2'),
    ]),
  );
  assert.deepEqual([found, damage], [BOTH, undefined]);
  assert.deepEqual(leftOut, ['wrongDigest', 'tooLarge', 'noAddress', 'noAddress', 'unknownPayload']);
});

test('chunks are undone where there are some, and only there', async () => {
  const coding = 'Transfer-Encoding: chunked\r\n';
  const { found } = await read(
    Buffer.concat([
      response('/1', '5\r\npage \r\n2\r\n/1\r\n0\r\n\r\n', {}, coding),
      response('/2', 'page /2', {}, coding),
    ]),
  );
  assert.deepEqual(found, BOTH);
});

test('names that leave a ZIP are not read, and a ZIP without an archive is refused', () => {
  const zip = createZipWriter(new Date(NOW));
  const bytes = Buffer.concat([
    ...zip.addStored('../archive/a.warc', good[0]!),
    ...zip.addStored('/archive/b.warc', good[1]!),
    ...zip.end(),
  ]);
  assert.throws(() => openArchiveFiles(bytes, 'a.wacz'), { code: 'UNSUPPORTED_FILE_TYPE' });
  assert.throws(() => openArchiveFiles(Buffer.from('%PDF-1.7'), 'a.pdf'), { code: 'UNSUPPORTED_FILE_TYPE' });
});

test('a changed file of a ZIP is read with a warning', async () => {
  const zip = createZipWriter(new Date(NOW));
  const listed = JSON.stringify({ resources: [{ path: 'archive/a.warc', hash: 'sha256:00' }] });
  const bytes = Buffer.concat([
    ...zip.addStored('archive/a.warc', Buffer.concat(good)),
    ...(await zip.add('datapackage.json', listed)),
    ...zip.end(),
  ]);
  const { files, warnings } = openArchiveFiles(bytes, 'a.wacz');
  assert.deepEqual((await read(files[0]!.read())).found, BOTH);
  assert.match(warnings[0]!, /The digest of archive\/a\.warc is wrong/);
});

test(`any damage to an archive ends in what was read, or in an error that says why (seed ${SEED})`, async () => {
  const whole = Buffer.concat([
    ...good,
    response('/3', 'x'.repeat(500)),
    response('/4', '3\r\nabc\r\n0\r\n\r\n', {}, 'Transfer-Encoding: chunked\r\n'),
  ]);
  const zip = createZipWriter(new Date(NOW));
  const packed = [whole, gzipSync(whole), Buffer.concat([...zip.addStored('archive/data.warc', whole), ...zip.end()])];
  const change = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 8 }), isCut: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...packed),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (original, changes) => {
        let bytes = Buffer.from(original);
        for (const { at, bytes: put, isCut } of changes) {
          const place = at % (bytes.byteLength + 1);
          bytes = isCut
            ? bytes.subarray(0, place)
            : Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + put.length)]);
        }
        try {
          for (const { read: open } of openArchiveFiles(bytes, 'a').files) await read(open());
        } catch (error) {
          assert.ok(error instanceof ServiceError, String(error));
        }
      },
    ),
    { seed: SEED, numRuns: runs(300, 20_000) },
  );
});

test(`chunks of any bytes are joined (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { minLength: 1 }), (chunks) => {
      const coded = chunks.flatMap((chunk) => [
        Buffer.from(`${chunk.length.toString(16)}\r\n`),
        chunk,
        Buffer.from('\r\n'),
      ]);
      const body = Buffer.concat([...coded, Buffer.from('0\r\n\r\n')]);
      assert.ok(Buffer.concat([withoutChunks(body)]).equals(Buffer.concat(chunks)));
    }),
    { seed: SEED, numRuns: runs(200, 5_000) },
  );
});
