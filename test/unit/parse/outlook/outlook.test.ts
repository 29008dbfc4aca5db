// Outlook messages: compressed RTF, the HTML inside it, and files that are not messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decompressRtf } from '../../../../src/parse/outlook/compressed-rtf.ts';
import { parseOutlook } from '../../../../src/parse/outlook/outlook.ts';
import { rtfBody } from '../../../../src/parse/outlook/rtf-body.ts';
import { parsedBy } from '../../../support/parsed.ts';

// Both were compressed by another implementation; the second copies from bytes it is still writing.
const SIMPLE = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
const RUN = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0';

test('compressed RTF is decompressed', () => {
  const simple = decompressRtf(Buffer.from(SIMPLE, 'hex'));
  assert.equal(Buffer.from(simple!).toString('latin1'), '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
  assert.equal(
    Buffer.from(decompressRtf(Buffer.from(RUN, 'hex'))!).toString('latin1'),
    '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}',
  );
});

test('bytes that are not compressed RTF give nothing, and truncated RTF gives its beginning', () => {
  assert.equal(decompressRtf(Buffer.from('{\\rtf1 plain and long enough}')), undefined);
  assert.equal(decompressRtf(Buffer.alloc(3)), undefined);
  const cut = decompressRtf(Buffer.from(SIMPLE, 'hex').subarray(0, 40));
  assert.match(Buffer.from(cut!).toString('latin1'), /^\{\\rtf1\\ansi\\ansicpg1252/);
});

const rtf = (text: string) => rtfBody(Buffer.from(text, 'latin1'));

test('HTML that was wrapped in RTF is restored', () => {
  const source =
    '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}' +
    "{\\*\\htmltag64 <p class=\"a\">}\\htmlrtf {\\b \\htmlrtf0 caf\\'e9 a & b {\\f1 \\'cf\\'f0} \\u8364?\\htmlrtf \\par}\\htmlrtf0 {\\*\\htmltag72 </p>}{\\*\\mhtmltag1 <no>}}";
  assert.deepEqual(rtf(source), { html: '<p class="a">café a &amp; b Пр €</p>' });
});

test('RTF without HTML gives its text', () => {
  const source =
    "{\\rtf1\\ansi{\\stylesheet{Normal;}}{\\*\\generator X;}{\\pict 0102}Hello \\b bold\\b0\\par\\'93x\\'94 \\{y\\}\\tab z}";
  assert.deepEqual(rtf(source), { text: 'Hello bold\n“x” {y}\tz' });
});

test('unbalanced groups do no harm', () => {
  assert.deepEqual(rtf(`{\\rtf1 ${'{'.repeat(100_000)}`), { text: '' });
  assert.deepEqual(rtf(`{\\rtf1 a${'}'.repeat(100_000)}b`), { text: 'ab' });
});

test('a file that is not a message is damaged', async () => {
  await assert.rejects(parsedBy(parseOutlook, 'no message at all'.repeat(100)), { code: 'DOCUMENT_DAMAGED' });
});
