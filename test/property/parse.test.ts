import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { textOf } from '../../src/markup/xml/xml-tree.ts';
import { checkOle, oleNames } from '../../src/parse/container/ole.ts';
import { openZip } from '../../src/parse/container/zip.ts';
import { classifyFile, fileKind } from '../../src/parse/detect/detect.ts';
import { readXml } from '../../src/parse/read-xml.ts';
import { officeFile } from '../support/hostile/hostile-base.ts';
import { ole } from '../support/hostile/hostile-ole.ts';
import { zip } from '../support/hostile/hostile-zip.ts';
import { runs, seedOr } from '../support/runs.ts';

const RUNS = { seed: seedOr(7), numRuns: runs(300, 6_000) };
const orRefused = (work: () => void) => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
};

/** A valid file with some of its bytes changed, and possibly truncated. */
const damaged = (good: Buffer) =>
  fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 12 }),
      cut: fc.nat(good.length),
    })
    .map(({ changes, cut }) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, cut % 3 === 0 ? cut : bytes.length);
    });

test('archives return what was put in', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/), fc.uint8Array()), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(entries, (list) => {
      const archive = openZip(zip(list.map(([name, data]) => ({ name, data }))));
      assert.deepEqual(
        archive.names,
        list.map(([name]) => name),
      );
      for (const [name, data] of list) assert.deepEqual(Buffer.from(archive.read(name)!), Buffer.from(data));
    }),
    RUNS,
  );
});

test('XML returns the text that was escaped in it', () => {
  const text = fc
    .string({ unit: 'binary', maxLength: 50 })
    .map((raw) => raw.replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, ''));
  fc.assert(
    fc.property(text, (words) => {
      const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      assert.equal(textOf(readXml(`<a><b>${escaped}</b></a>`)), words);
    }),
    RUNS,
  );
});

test('damaged archives and OLE files are read or refused, and nothing else', () => {
  const archive = officeFile('docx');
  const mail = ole({ names: ['__properties_version1.0', '__substg1.0_0037001F'] });
  fc.assert(
    fc.property(damaged(archive), (bytes) => {
      orRefused(() => {
        const { names, read } = openZip(bytes);
        for (const name of names) read(name);
      });
      fileKind({ bytes, contentType: '', name: 'a.docx' });
    }),
    RUNS,
  );
  fc.assert(
    fc.property(damaged(mail), (bytes) => {
      orRefused(() => checkOle(bytes));
      oleNames(bytes);
      fileKind({ bytes, contentType: '', name: 'a.msg' });
    }),
    RUNS,
  );
});

test('any text is read as XML or refused', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<a',
    '<!DOCTYPE',
    '<![CDATA[',
    ']]>',
    '&',
    ';',
    '&#x',
    '"',
    '=',
    ' ',
    'b',
    '<!--',
    '-->',
    '<?',
    '?>',
    '\0',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (list) => orRefused(() => readXml(list.join('')))),
    RUNS,
  );
});

test('file detection never throws, and its two answers agree', () => {
  const head = fc.constantFrom(
    '',
    '%PDF-1.4\n',
    'PK\x03\x04',
    'PK\x05\x06',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '{',
    'From: a\n',
    '\\documentclass',
    '<',
  );
  const name = fc.constantFrom('', 'a.pdf', 'a.docx', 'a.eml', 'a.tex', 'a.png', '.', '..docx.');
  const type = fc.constantFrom('', 'text/html', 'application/pdf', ';charset=utf-16', 'image/png');
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 2000 }), name, type, (start, rest, called, contentType) => {
      const sample = { bytes: Buffer.concat([Buffer.from(start, 'latin1'), rest]), name: called, contentType };
      const kind = fileKind(sample);
      const { category, isPicture } = classifyFile(sample);
      if (kind !== undefined) assert.equal(category, 'parsable');
      if (isPicture) assert.equal(kind, 'image');
    }),
    RUNS,
  );
});
