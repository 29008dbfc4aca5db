import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { classifyFile, fileKind } from '../../../../src/parse/detect/detect.ts';
import { officeEntries, officeFile } from '../../../support/hostile/hostile-base.ts';
import { ole } from '../../../support/hostile/hostile-ole.ts';
import { pdfOf } from '../../../support/hostile/hostile-pdf.ts';
import { zip } from '../../../support/hostile/hostile-zip.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const kind = (bytes: Uint8Array | string, name = '', contentType = '') =>
  fileKind({ bytes: typeof bytes === 'string' ? latin(bytes) : bytes, name, contentType });
const classify = (bytes: Uint8Array | string, name = '', contentType = '') =>
  classifyFile({ bytes: typeof bytes === 'string' ? latin(bytes) : bytes, name, contentType });

const FOLDER = new URL('../../../documents/', import.meta.url).pathname;
const NAMED: Record<string, string> = { docm: 'docx', xlsm: 'xlsx' };

test('every file written by a real program is recognised by its bytes, whatever its name', () => {
  for (const path of globSync('*/source.*', { cwd: FOLDER })) {
    const named = path.split('--', 1)[0]!;
    const bytes = readFileSync(FOLDER + path);
    // One chapter of a TeX book has no signature of its own.
    if (named === 'tex' && !bytes.includes('\\documentclass')) continue;
    assert.equal(kind(bytes), NAMED[named] ?? named, path);
    assert.equal(kind(bytes, 'a.pdf', 'text/html'), NAMED[named] ?? named, `${path} called ${basename('a.pdf')}`);
  }
});

test('archives are recognised by their main part, their type, or what precedes the damage', () => {
  for (const name of ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'epub'] as const) {
    assert.equal(kind(officeFile(name)), name);
    assert.equal(classify(officeFile(name).subarray(0, 100)).category, 'parsable');
  }
  const withType = (type: string) =>
    zip([
      {
        name: '[Content_Types].xml',
        data: `<Types><Override ContentType="application/vnd.${type}.main+xml"/></Types>`,
      },
    ]);
  const types: [string, string][] = [
    ['ms-word.document.macroEnabled', 'docx'],
    ['ms-word.template.macroEnabledTemplate', 'docx'],
    ['openxmlformats-officedocument.wordprocessingml.template', 'docx'],
    ['ms-excel.sheet.macroEnabled', 'xlsx'],
    ['ms-excel.sheet.binary.macroEnabled', 'xlsb'],
    ['openxmlformats-officedocument.presentationml.slideshow', 'pptx'],
    ['ms-powerpoint.presentation.macroEnabled', 'pptx'],
  ];
  for (const [type, expected] of types) assert.equal(kind(withType(type)), expected, type);
  const cut = zip([...officeEntries('docx'), { name: 'word/media/a', data: 'x'.repeat(500), method: 0 }]);
  assert.equal(kind(cut.subarray(0, cut.length - 300)), 'docx');
  assert.equal(kind(cut.subarray(0, 20)), undefined);
  assert.equal(kind(cut.subarray(0, 20), 'a.xlsx'), 'xlsx');
  assert.equal(kind(officeFile('ods').subarray(0, 200)), 'ods');
  assert.equal(
    kind(zip([{ name: 'mimetype', data: 'application/vnd.oasis.opendocument.presentation-template' }])),
    'odp',
  );
});

test('an archive or OLE file of another kind is not parsed, and its type is reported', () => {
  const archive = zip([{ name: 'a.txt', data: 'a' }]);
  assert.equal(kind(archive, 'a.docx'), undefined);
  assert.deepEqual(classify(archive), { category: 'parsable', type: 'application/zip', isPicture: false });
  assert.equal(kind(ole({ names: ['Something'] }), 'a.docx'), undefined);
});

test('OLE files are recognised by their top-level entries', () => {
  const table: [string[], string][] = [
    [['WordDocument', '1Table'], 'doc'],
    [['Workbook'], 'xls'],
    [['Book'], 'xls'],
    [['PowerPoint Document'], 'ppt'],
    [['__properties_version1.0'], 'msg'],
    [['__substg1.0_0037001F'], 'msg'],
  ];
  for (const [names, expected] of table) assert.equal(kind(ole({ names })), expected);
  const encrypted = ole({ names: ['EncryptionInfo', 'EncryptedPackage'] });
  assert.equal(kind(encrypted, 'a.xlsx'), 'xlsx');
  assert.equal(kind(encrypted), 'docx');
});

test('a PDF may begin with junk, and text that mentions a PDF stays text', () => {
  assert.equal(kind(pdfOf()), 'pdf');
  assert.equal(kind('HTTP/1.1 200 OK\r\n\r\n%PDF-2.0\n'), 'pdf');
  assert.equal(kind('A PDF begins with %PDF-1.7 and a line of noise.'), undefined);
  assert.equal(kind('<!doctype html><pre>\n%PDF-1.7</pre>', 'a.pdf', 'application/pdf'), undefined);
});

test('mails are recognised by their header fields', () => {
  assert.equal(kind('From: a@b.c\nSubject: x\n\nbody'), 'eml');
  assert.equal(kind('From a@b.c Mon Jan 1 00:00:00 2024\nReceived: by x\n\tfor y\nDate: z\n\nbody'), 'eml');
  assert.equal(kind('Subject: notes\nDate: today\n\nwords'), undefined);
  assert.equal(kind('Subject: notes\nDate: today\n\nwords', 'a.eml'), 'eml');
  assert.equal(kind('From: here to there\nwords without a colon\nTo: them', 'a.txt'), undefined);
  assert.equal(kind('words', 'a.eml', 'message/rfc822'), undefined);
});

test('notebooks and TeX are recognised by their markers, or else by their name', () => {
  assert.equal(kind('{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}'), 'ipynb');
  assert.equal(kind('{"cells":"of a body","nbformat":"old"}'), undefined);
  assert.equal(kind('{"worksheets":[]}', 'a.ipynb'), 'ipynb');
  assert.equal(kind('% a comment\n\\documentclass{article}'), 'tex');
  assert.equal(kind('How \\documentclass works'), undefined);
  assert.equal(kind('\\section{Part}', 'a.tex'), 'tex');
  assert.equal(kind('<h1>Not found</h1>', 'a.tex'), undefined);
  assert.equal(kind('{\\rtf1 x}', 'a.doc', 'application/msword'), 'rtf');
});

test('pictures are recognised by their first bytes', () => {
  const heads = [
    '\x89PNG\r\n\x1a\n\0',
    '\xff\xd8\xff\xe0',
    'GIF89a',
    'RIFF\x10\0\0\0WEBPVP8 ',
    'II*\0',
    'MM\0+',
    'BM\0\0',
    '\0\0\0\x1cftypavif',
    '\0\0\0\x1cftypmif1\0\0\0\0mif1avif',
    '\0\0\0\x0cjP  \r\n\x87\n',
    '\xff\x4f\xff\x51',
  ];
  for (const head of heads) {
    assert.equal(kind(head), 'image', head);
    assert.equal(classify(head).isPicture, true, head);
  }
  assert.equal(classify('\0\0\0\x1cftypheic\0').category, 'unsupported');
  assert.equal(classify('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml').category, 'text');
});

test('text stays text whatever its name, and other files are reported by type', () => {
  for (const name of ['a.docx', 'a.pdf', 'a.png', 'a.msg', 'a.rtf'])
    assert.equal(kind('just words', name), undefined, name);
  assert.deepEqual(classify('a,b', 'a.csv', 'text/csv; charset=utf-8'), {
    category: 'text',
    type: 'text/csv',
    isPicture: false,
  });
  assert.deepEqual(classify('\0\0\0\x18ftypmp42\0'), { category: 'unsupported', type: 'video/mp4', isPicture: false });
  assert.deepEqual(classify('\x1f\x8b\x08\0'), { category: 'unsupported', type: 'application/gzip', isPicture: false });
});

test('name and declared type decide where the bytes do not', () => {
  assert.equal(kind('', 'a.PDF'), 'pdf');
  assert.equal(kind('', '', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'), 'docx');
  assert.equal(kind('', 'a.txt'), undefined);
  assert.equal(kind('\0\x01\x02\x03\x04\x05', 'a.pdf'), 'pdf');
  assert.equal(kind('\0\x01\x02\x03\x04\x05', 'a.tex'), undefined);
  assert.equal(kind('\0\x01\x02\x03\x04\x05', 'a.bin'), undefined);
});
