import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openZip } from '../../../../src/parse/container/zip.ts';
import { ZIP_LIMITS } from '../../../../src/parse/parse-limits.ts';
import { packedMegabytes, type ZipEntry, zip } from '../../../support/hostile/hostile-zip.ts';

const MB = 1024 * 1024;
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const isCode = (code: string) => (error: Error & { code?: string }) => error.code === code;
const reading = (entry: Omit<ZipEntry, 'name'>) => () => openZip(zip([{ name: 'a', ...entry }])).read('a');

test('entries are read by name, whether compressed or stored', () => {
  const archive = openZip(
    zip([
      { name: 'a', data: 'packed' },
      { name: 'b/c.xml', data: 'stored', method: 0 },
    ]),
  );
  assert.deepEqual(archive.names, ['a', 'b/c.xml']);
  assert.equal(text(archive.read('a')), 'packed');
  assert.equal(text(archive.read('b/c.xml')), 'stored');
  assert.equal(archive.has('b/c.xml'), true);
  assert.equal(archive.has('c.xml'), false);
  assert.equal(archive.read('c.xml'), undefined);
});

test('an archive is read when it has bytes in front, a comment behind, or sits inside a larger buffer', () => {
  const plain = zip([{ name: 'a', data: 'x' }], { comment: 'made by hand' });
  assert.equal(text(openZip(Buffer.concat([Buffer.from('before it'), plain])).read('a')), 'x');
  const larger = Buffer.concat([Buffer.alloc(100, 0x50), plain, Buffer.alloc(0)]);
  assert.equal(text(openZip(larger.subarray(100)).read('a')), 'x');
});

test('ZIP64 sizes in the extra field are read', () => {
  const bytes = zip([{ name: 'a', data: 'abc' }]);
  const at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
  const end = bytes.indexOf('PK\x05\x06', 0, 'latin1');
  const field = Buffer.alloc(12);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(3n, 4);
  const listed = Buffer.concat([bytes.subarray(at, end), field]);
  listed.writeUInt32LE(0xffffffff, 24);
  listed.writeUInt16LE(12, 30);
  const last = Buffer.from(bytes.subarray(end));
  last.writeUInt32LE(listed.length, 12);
  assert.equal(text(openZip(Buffer.concat([bytes.subarray(0, at), listed, last])).read('a')), 'abc');
});

test('entry names that point outside the archive are ignored', () => {
  const names = ['../a', 'b/../../a', '/etc/a', 'C:\\a', '..\\a', 'folder/', 'nul\0', 'good/..name'];
  assert.deepEqual(openZip(zip(names.map((name) => ({ name, data: 'x' })))).names, ['good/..name']);
});

test('an entry whose size, checksum or compression does not match its header is damaged', () => {
  for (const entry of [
    { data: 'x', crc: 1 },
    { data: 'x', method: 99 },
    { data: 'x', size: 2 },
    { data: 'xx', size: 1 },
    { packed: Buffer.from('no deflate'), size: 4 },
    { packed: packedMegabytes(200), size: 100 },
  ]) {
    assert.throws(reading(entry), isCode('DOCUMENT_DAMAGED'), JSON.stringify(entry).slice(0, 100));
  }
});

test('an encrypted entry is reported as encrypted', () => {
  assert.throws(reading({ data: 'x', isEncrypted: true }), isCode('DOCUMENT_ENCRYPTED'));
});

test('zip bombs are refused by the sizes they declare', () => {
  const open =
    (...entries: ZipEntry[]) =>
    () =>
      openZip(zip(entries));
  const large = { name: 'a', packed: packedMegabytes(1), size: 600 * MB };
  assert.throws(open(large), isCode('DOCUMENT_TOO_COMPLEX'));
  assert.throws(open({ ...large, size: 70 * MB }), isCode('DOCUMENT_TOO_COMPLEX'));
  // The compression ratio is not checked below this size.
  assert.doesNotThrow(open({ ...large, size: 60 * MB }));
  const many = Array.from({ length: ZIP_LIMITS.entries + 1 }, (_, index) => ({
    name: `${index}`,
    packed: Buffer.alloc(0),
  }));
  assert.throws(open(...many), isCode('DOCUMENT_TOO_COMPLEX'));
  assert.throws(
    () =>
      openZip(
        zip(
          [
            { name: 'a', data: 'x'.repeat(99) },
            { name: 'b', size: 1 },
          ],
          { overlap: true },
        ),
      ),
    isCode('DOCUMENT_TOO_COMPLEX'),
  );
});

test('reading an entry again counts towards the limit each time', () => {
  const archive = openZip(zip([{ name: 'a', data: Buffer.alloc(20 * MB) }]));
  assert.equal(archive.read('a')?.length, 20 * MB);
  assert.throws(() => {
    for (let times = 0; times < 10; times += 1) archive.read('a');
  }, isCode('DOCUMENT_TOO_COMPLEX'));
});

test('bytes that are not a ZIP archive are damaged', () => {
  const good = zip([{ name: 'a', data: 'x'.repeat(1000) }]);
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(1000), good.subarray(0, good.length - 30)]) {
    assert.throws(() => openZip(bytes), isCode('DOCUMENT_DAMAGED'));
  }
});
