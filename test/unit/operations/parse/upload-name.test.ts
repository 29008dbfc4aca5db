// How the names of uploaded files are cleaned and shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileAddress } from '../../../../src/markup/html/page-urls.ts';
import { cleanFileName } from '../../../../src/operations/parse/upload-name.ts';
import { runs, seedOr } from '../../../support/runs.ts';

test('folders and invisible characters are removed, the rest stays', () => {
  const cases: [given: string | undefined, name: string][] = [
    ['report.pdf', 'report.pdf'],
    ['  Bericht über 報告.pdf ', 'Bericht über 報告.pdf'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a\r\nb\0c.txt', 'abc.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['👩‍🔬.md', '👩‍🔬.md'],
    [undefined, 'file'],
    ['', 'file'],
    ['folder/', 'file'],
    ['..', 'file'],
    ['\u0007', 'file'],
  ];
  for (const [given, name] of cases) assert.equal(cleanFileName(given), name);
});

test('a long name keeps its extension', () => {
  assert.equal(cleanFileName(`${'x'.repeat(600)}.docx`), `${'x'.repeat(507)}.docx`);
  assert.equal(cleanFileName('x'.repeat(600)), 'x'.repeat(512));
  assert.equal(cleanFileName(`x.${'y'.repeat(600)}`).length, 512);
});

test('any name becomes a short one that fits into a URL, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (given) => {
      const name = cleanFileName(given);
      assert.ok(name.length >= 1 && name.length <= 512);
      assert.ok(!/[/\\\p{Cc}]/u.test(name));
      assert.equal(cleanFileName(name), name);
      const address = fileAddress(name);
      assert.deepEqual([new URL(address).host, new URL(address).href], ['upload.invalid', address]);
    }),
    { seed: seedOr(7), numRuns: runs(300, 6_000) },
  );
});
