// Repairing and cutting text, and reading the metadata of a PDF.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { readPdfInfo } from '../../../../src/parse/pdf/info-dictionary.ts';
import { describePages } from '../../../../src/parse/pdf/pdf.ts';
import { parsePdfDate } from '../../../../src/parse/pdf/pdf-metadata.ts';
import { cutAfterLetters, joinHyphenated, repairText } from '../../../../src/parse/pdf/repair-text.ts';

describe('text', () => {
  test('ligatures, soft hyphens and control characters are repaired', () => {
    assert.equal(repairText('e\uFB03cient \uFB01sh\u00AD\u0001'), 'efficient fish');
  });

  test('a word split at a line end is joined only where the page has it in one piece', () => {
    const words = new Set(['internal']);
    assert.equal(joinHyphenated('an inter- nal well- known matter', words), 'an internal well- known matter');
  });

  test('Markdown is cut after a word, and links and emphasis are kept whole or removed', () => {
    assert.deepEqual(cutAfterLetters('One two three', 6), ['One two', 'three']);
    assert.deepEqual(cutAfterLetters('[One](http://a.b/c) two', 3), ['[One](http://a.b/c)', 'two']);
    assert.deepEqual(cutAfterLetters('**One two** three', 3), ['One', 'two three']);
    assert.deepEqual(cutAfterLetters('Onetwo three', 3), [undefined, '']);
  });

  test('page numbers are described in words', () => {
    assert.equal(describePages([7]), 'Page 7 was');
    assert.equal(describePages([12, 13, 14]), 'Pages 12 to 14 were');
    assert.equal(describePages([1, 4, 5, 9, 10, 11]), 'Pages 1, 4, 5 and 9 to 11 were');
  });
});

describe('metadata', () => {
  test('dates may have a time zone and may be shortened', () => {
    assert.equal(parsePdfDate("D:20240131120000+01'00'"), '2024-01-31T11:00:00.000Z');
    assert.equal(parsePdfDate('D:2024'), '2024-01-01T00:00:00.000Z');
    assert.equal(parsePdfDate('D:20249931'), undefined);
    assert.equal(parsePdfDate('yesterday'), undefined);
  });

  test('titles are read from literal strings, hexadecimal and UTF-16', () => {
    const info = (title: string) =>
      readPdfInfo(Buffer.from(`%PDF\n7 0 obj\n<< /Title ${title} >>\nendobj\ntrailer << /Info 7 0 R >>`, 'latin1'));
    assert.equal(info('(A \\(short\\) ti\\164le)').Title, 'A (short) title');
    assert.equal(info('<FEFF004200E900650021>').Title, 'Bée!');
    assert.match(info('(unclosed').Title!, /^unclosed/);
  });

  test('the title is found in an object stream', () => {
    const first = '7 0 ';
    const packed = deflateSync(Buffer.from(`${first}<< /Title (Packed) >>`));
    const head = `%PDF\n3 0 obj\n<< /Type /ObjStm /N 1 /First ${first.length} /Length ${packed.length} >>\nstream\n`;
    const tail = '\nendstream\nendobj\n<< /Type /XRef /Info 7 0 R >>';
    assert.equal(readPdfInfo(Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])).Title, 'Packed');
  });
});
