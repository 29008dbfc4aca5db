import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { kindByName, kindOf } from '../../../src/markup/sniff.ts';
import { sniffHead } from '../../../src/markup/sniff-head.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const kind = (contentType: string, text: string) => kindOf(contentType, sniffHead(bytes(text))).kind;

test('declared types are accepted if the bytes fit', () => {
  const table: [string, string, string][] = [
    ['text/html', 'html', '<p>x'],
    ['text/html; charset=utf-8', 'html', 'just words'],
    ['application/xhtml+xml', 'html', '<?xml version="1.0"?><html>'],
    ['application/json', 'json', '{"a":1}'],
    ['application/ld+json', 'json', '[]'],
    ['text/xml', 'xml', '<a/>'],
    ['application/rss+xml', 'feed', '<?xml version="1.0"?><rss>'],
    ['application/xml', 'feed', '<?xml version="1.0"?>\n<!-- c --><feed xmlns="x">'],
    ['application/xml', 'feed', '<rdf:RDF>'],
    ['text/csv', 'csv', 'a,b'],
    ['text/tab-separated-values', 'csv', 'a\tb'],
    ['text/markdown', 'markdown', '# x'],
    ['text/plain', 'text', '<html>shown as text'],
    ['text/css', 'text', 'p{}'],
    ['image/svg+xml', 'xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['', 'text', ''],
  ];
  for (const [type, expected, text] of table) assert.equal(kind(type, text), expected, `${type} ${text}`);
});

test('the bytes decide if the type is missing or wrong', () => {
  assert.equal(kind('', '  <!DOCTYPE html><p>'), 'html');
  assert.equal(kind('application/octet-stream', '<html>'), 'html');
  assert.equal(kind('application/json', '<!doctype html><h1>404</h1>'), 'html');
  assert.equal(kind('application/xml', '<?xml version="1.0"?><!DOCTYPE html><html xmlns="x">'), 'html');
  assert.equal(kind('text/html', '{"error":"not found"}'), 'json');
  assert.equal(kind('text/html', '<?xml version="1.0"?><rss version="2.0">'), 'feed');
  assert.equal(kind('image/png', '<!doctype html><p>Not found'), 'html');
  assert.equal(kind('', '<?xml version="1.0"?><article xmlns="x">'), 'xml');
  assert.equal(kind('', '<article class="a">'), 'html');
  assert.equal(kind('', '{"a":'), 'json');
  assert.equal(kind('', 'plain words { here'), 'text');
});

test('binary files are recognised by their bytes, whatever their declared type', () => {
  const table: [string, string][] = [
    ['application/pdf', '%PDF-1.7\n'],
    ['application/pdf', 'junk\n%PDF-1.4'],
    ['application/zip', 'PK\x03\x04\x14\0'],
    ['application/gzip', gzipSync('x').toString('latin1')],
    ['image/png', '\x89PNG\r\n\x1a\n\0\0'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['video/mp4', '\0\0\0\x18ftypmp42'],
    ['audio/mpeg', 'ID3\x03\0'],
    ['audio/wav', 'RIFF\x10\0\0\0WAVEfmt '],
    ['font/woff2', 'wOF2\0'],
    ['application/wasm', '\0asm\x01\0\0\0'],
    ['application/x-executable', '\x7fELF\x02'],
    ['application/vnd.microsoft.portable-executable', 'MZ\x90\0'],
    ['application/x-ole-storage', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['application/octet-stream', 'abc\0\x01\x02\x03\x04\x05'],
  ];
  for (const [type, text] of table) {
    assert.deepEqual(kindOf('text/html', sniffHead(bytes(text))), { kind: 'binary', type }, type);
    assert.deepEqual(kindOf('', sniffHead(bytes(text))), { kind: 'binary', type }, type);
  }
});

test('an office file keeps its own type, and an empty image is still an image', () => {
  const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  assert.deepEqual(kindOf(office, sniffHead(bytes('PK\x03\x04\x14\0'))), { kind: 'binary', type: office });
  assert.deepEqual(kindOf('image/png', sniffHead(bytes(''))), { kind: 'binary', type: 'image/png' });
});

test('UTF-16, stray zero bytes and words that look like signatures do not make text binary', () => {
  assert.equal(kindOf('text/html; charset=utf-16le', sniffHead(Buffer.from('<p>a', 'utf16le'))).kind, 'html');
  assert.equal(
    kindOf('text/html', sniffHead(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>a', 'utf16le')]))).kind,
    'html',
  );
  assert.equal(kind('text/html', `<!doctype html><p>${'text '.repeat(50)}\0`), 'html');
  assert.equal(kind('', 'MZ is a postcode and BM a town'), 'text');
  assert.equal(kind('', 'ID3 tags explained'), 'text');
});

test('prologs, byte order marks and beginnings that are cut off', () => {
  const table: [string, string][] = [
    ['html', '\xef\xbb\xbf \n<!-- a > b --><!DOCTYPE\thtml><p>'],
    ['html', '<!-- only a comment'],
    ['html', '<!doctype svg><p class="x">'],
    ['html', '<note><p>x</p></note>'],
    ['xml', '<?xml version="1.0"?><!-- c --><section>'],
    ['xml', '<?xml version="1.0"?>'],
    ['xml', '<?xml version="1.0"?><html/>'],
    ['feed', '<!-- c --><?pi?> <RSS version="2.0">'],
    ['feed', '<rdf:RDF xmlns="x">'],
    ['xml', '<html'],
    ['xml', '<htmlx>'],
    ['json', '{'],
    ['json', '[ -1'],
    ['text', '[nothing'],
    ['text', '<'],
  ];
  for (const [expected, text] of table) assert.equal(kind('', text), expected, text);
  // Only the first kilobytes count.
  assert.equal(kind('', `${' '.repeat(5_000)}<html>`), 'text');
});

test('the file name refines plain text only', () => {
  assert.equal(kindByName('text', 'https://a.test/README.md?x=1'), 'markdown');
  assert.equal(kindByName('text', 'https://a.test/t.CSV'), 'csv');
  assert.equal(kindByName('text', 'https://a.test/t.txt'), 'text');
  assert.equal(kindByName('html', 'https://a.test/x.md'), 'html');
});
