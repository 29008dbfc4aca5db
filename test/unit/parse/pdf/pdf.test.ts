// Whole PDFs: modes, limits, page markers, blocks, metadata, and what cannot be read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { ParsedFile, ParseOptions, PdfOptions } from '../../../../src/page/parsed.ts';
import type { Ocr, OcrText } from '../../../../src/parse/ocr/ocr.ts';
import { parsePdf, parsePdfWithin } from '../../../../src/parse/pdf/pdf.ts';
import { readWithPdfjs } from '../../../../src/parse/pdf/readers/pdfjs.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { makePdf } from '../../../support/pdf.ts';

const REPORT = readFileSync(new URL('../../../documents/pdf--report/source.pdf', import.meta.url));
const SCAN = readFileSync(new URL('../../../documents/pdf--scan/source.pdf', import.meta.url));
const PLAIN: PdfOptions = { mode: 'auto', pages: false, blocks: false, pageMarkers: false };
const SENTENCE = 'The quick brown fox jumps over the lazy dog near the river.';

const noOcr: Ocr = {
  unavailable: async () => 'Install tesseract.',
  read: () => Promise.reject(new Error('OCR must not run in this test')),
};

/** OCR that always reads the same text. */
function fixedOcr(text: string): Ocr & { asked: number } {
  const result: OcrText = {
    blocks: [{ text, lineHeight: 20, bbox: [0.1, 0.2, 0.9, 0.3], confidence: 0.9 }],
    width: 1000,
    height: 1400,
    confidence: 0.9,
  };
  const ocr = {
    asked: 0,
    unavailable: async () => undefined,
    read: () => {
      ocr.asked++;
      return Promise.resolve(result);
    },
  };
  return ocr;
}

function parse(
  bytes: Uint8Array,
  pdf: Partial<PdfOptions> = {},
  ocr: Ocr = noOcr,
  more: Partial<ParseOptions> = {},
): Promise<ParsedFile> {
  const options = { pdf: { ...PLAIN, ...pdf }, deadline: Date.now() + 60_000, ...more };
  return parsePdf({ kind: 'pdf', name: 'a.pdf', bytes }, options, { ocr });
}

const markdownOf = ({ body }: ParsedFile): string => ('markdown' in body ? body.markdown : '');

describe('output', () => {
  test('headings, paragraphs and links become Markdown, and running heads and page numbers are removed', async () => {
    const markdown = markdownOf(await parse(REPORT));
    assert.match(markdown, /^# Ships and cargo$/m);
    assert.match(markdown, /^## What arrived$/m);
    assert.match(markdown, /on \[the page of the harbour\]\(https:\/\/harbour\.example\/figures\?year=2024\), which/);
    assert.doesNotMatch(markdown, /Harbour Report|Page \d of/);
  });

  test('document properties become metadata', async () => {
    const { metadata } = await parse(REPORT);
    assert.equal(metadata.title, 'The Harbour Report');
    assert.equal(metadata.author, 'Ada Moreno');
    assert.equal(metadata.description, 'Ships, cargo and people in one year');
    assert.equal(metadata.keywords, 'harbour, cargo');
    assert.equal(metadata.language, 'en-GB');
    assert.match(String(metadata.publishedTime), /^\d{4}-\d\d-\d\dT/);
    assert.equal(metadata.creator, 'Writer');
  });

  test('only the first maxPages pages are read, and the total number of pages is reported', async () => {
    const parsed = await parse(REPORT, { maxPages: 2 });
    assert.deepEqual([parsed.numPages, parsed.totalPages], [2, 3]);
    assert.doesNotMatch(markdownOf(parsed), /Safety/);
  });

  test('no file is read beyond the page limit of the server', async () => {
    const options = { pdf: PLAIN, deadline: Date.now() + 60_000 };
    const bounds = { clock: systemClock, maxPages: 2 };
    const file = { kind: 'pdf' as const, name: 'a.pdf', bytes: REPORT };
    const { numPages, totalPages, warnings } = await parsePdfWithin(file, options, { ocr: noOcr }, bounds);
    assert.deepEqual([numPages, totalPages], [2, 3]);
    assert.deepEqual(warnings, ['The file has 3 pages; only the first 2 were read.']);
  });

  test('a single page keeps the text at its edge', async () => {
    const page = { heading: 'Report', lines: [SENTENCE, SENTENCE] };
    assert.match(markdownOf(await parse(makePdf([page]))), /Report/);
  });

  test('a file of many pages is read in batches that keep the order', async () => {
    const pages = Array.from({ length: 95 }, (_, at) => ({ lines: [`Entry ${at + 1} follows here.`, SENTENCE] }));
    const parsed = await parse(makePdf(pages));
    const entries = [...markdownOf(parsed).matchAll(/Entry (\d+)/g)].map(([, number]) => Number(number));
    assert.equal(parsed.numPages, 95);
    assert.deepEqual(
      entries,
      pages.map((_, at) => at + 1),
    );
  });
});

test('form values and annotations follow the text of the page', async () => {
  const annotations = [
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (town) /TU (Town of birth) /V (Ghent) /Rect [72 500 200 520] /P 4 0 R >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (empty) /V () /Rect [72 470 200 490] /P 4 0 R >>',
    '<< /Type /Annot /Subtype /Text /T (Ada) /Contents (Check this figure.) /Rect [300 500 320 520] >>',
  ];
  const page = makePdf([{ lines: [SENTENCE] }]).toString('latin1');
  const form = page
    .replace('/Type /Catalog', '/Type /Catalog /AcroForm << /Fields [20 0 R 21 0 R] >>')
    .replace('/Type /Page /Parent', '/Type /Page /Annots [20 0 R 21 0 R 22 0 R] /Parent')
    .replace('xref\n0', `${annotations.map((body, at) => `${20 + at} 0 obj\n${body}\nendobj\n`).join('')}xref\n0`);
  const markdown = markdownOf(await parse(Buffer.from(form, 'latin1')));
  assert.equal(markdown, `${SENTENCE}\n\n- Town of birth: Ghent\n- Ada: Check this figure.`);
});

describe('pages and blocks', () => {
  test('a page marker stands between pages, with the number of the next page', async () => {
    const pages = [{ lines: [`First. ${SENTENCE}`] }, { lines: [`Second. ${SENTENCE}`] }];
    const markdown = markdownOf(await parse(makePdf(pages), { pageMarkers: true }));
    assert.equal(markdown, `First. ${SENTENCE}\n\n---\n\n<!-- page 2 -->\n\nSecond. ${SENTENCE}`);
  });

  test('the Markdown of each page is returned on request', async () => {
    const { pages } = await parse(REPORT, { pages: true });
    assert.deepEqual(
      pages?.map(({ pageNumber }) => pageNumber),
      [1, 2, 3],
    );
    assert.match(pages![2]!.markdown, /^## Safety/);
    assert.equal((await parse(REPORT)).pages, undefined);
  });

  for (const pageMarkers of [false, true]) {
    test(`the span of a block covers its words, ${pageMarkers ? 'with' : 'without'} page markers`, async () => {
      const parsed = await parse(REPORT, { blocks: true, pageMarkers });
      const markdown = markdownOf(parsed);
      const items = parsed.blocks!.flatMap((page) => page.items);
      assert.ok(items.length > 15);
      for (const { markdownSpan, type } of items) {
        if (markdownSpan) assert.match(markdown.slice(...markdownSpan), /^\S(?:.*\S)?$/s);
        else assert.match(type, /^page_/);
      }
      const people = items.find(({ content }) => content === 'People')!;
      assert.equal(markdown.slice(...people.markdownSpan!), '# People');
    });
  }

  test('blocks have a type, a bounding box and a reading order', async () => {
    const { blocks } = await parse(REPORT, { blocks: true });
    const [first] = blocks!;
    assert.ok(Math.abs(first!.width! - 419.5) < 1 && Math.abs(first!.height! - 595.3) < 1);
    assert.equal(first!.status, 'ok');
    assert.deepEqual(
      first!.items.slice(0, 3).map(({ id, type, readingOrder }) => [id, type, readingOrder]),
      [
        ['p1.b1', 'page_header', 0],
        ['p1.b2', 'title', 1],
        ['p1.b3', 'text', 2],
      ],
    );
    assert.ok(first!.items.some(({ type }) => type === 'table'));
    assert.ok(first!.items.some(({ type }) => type === 'page_number'));
    for (const { bbox } of blocks!.flatMap(({ items }) => items)) {
      const [x0, y0, x1, y1] = bbox!;
      assert.ok(0 <= x0 && x0 < x1 && x1 <= 1 && 0 <= y0 && y0 < y1 && y1 <= 1, String(bbox));
    }
  });
});

describe('scanned pages', () => {
  test('auto runs OCR on pages without text', async () => {
    const ocr = fixedOcr('Read from the picture.');
    const parsed = await parse(SCAN, { blocks: true }, ocr);
    assert.equal(markdownOf(parsed), 'Read from the picture.');
    const [item] = parsed.blocks![0]!.items;
    assert.deepEqual([item!.source, item!.confidence.ocr], ['ocr', 0.9]);
    assert.equal(ocr.asked, 1);
  });

  test('auto skips pages with text and blank pages', async () => {
    const ocr = fixedOcr('never');
    await parse(REPORT, {}, ocr);
    await parse(makePdf([{}]), {}, ocr);
    assert.equal(ocr.asked, 0);
  });

  test('ocr reads every page with OCR', async () => {
    const ocr = fixedOcr('Read from the picture.');
    assert.match(markdownOf(await parse(REPORT, { mode: 'ocr', maxPages: 2 }, ocr)), /^Read from the picture\./);
    assert.equal(ocr.asked, 2);
  });

  test('fast runs no OCR, and the warning names the mode that does', async () => {
    const ocr = fixedOcr('never');
    const parsed = await parse(SCAN, { mode: 'fast' }, ocr);
    assert.equal(markdownOf(parsed), '');
    assert.match(parsed.warnings.join(), /Page 1 was left without text\. .* mode `auto`/);
    assert.equal(ocr.asked, 0);
  });

  test('without OCR a scanned file is refused with the reason', async () => {
    const refusal = { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', message: /scanned.*Install tesseract\./ };
    await assert.rejects(parse(SCAN), refusal);
    await assert.rejects(parse(SCAN, { mode: 'ocr' }), refusal);
  });

  test('without OCR the existing text is kept, with a warning', async () => {
    const parsed = await parse(REPORT, { mode: 'ocr' });
    assert.match(markdownOf(parsed), /Ships and cargo/);
    assert.deepEqual(parsed.warnings, ['Pages 1 to 3 were not read by OCR: Install tesseract.']);
  });

  test('pages that OCR has no time for keep their text, with a warning', async () => {
    const ocr = fixedOcr('never');
    const options = { pdf: { ...PLAIN, mode: 'ocr' as const, blocks: true }, deadline: 2_500 };
    const bounds = { clock: { ...systemClock, now: () => 0 }, maxPages: 10 };
    const parsed = await parsePdfWithin({ kind: 'pdf', name: 'a.pdf', bytes: REPORT }, options, { ocr }, bounds);
    assert.match(markdownOf(parsed), /Ships and cargo/);
    assert.deepEqual(parsed.warnings, [
      'Pages 1 to 3 were not read by OCR because time ran out. Allow a longer `timeout`.',
    ]);
    assert.deepEqual(
      parsed.blocks!.map(({ status }) => status),
      ['partial', 'partial', 'partial'],
    );
    assert.equal(parsed.isPartial, true, 'a partial result must not be cached');
  });
});

describe('damaged files', () => {
  test('a file with a wrong cross-reference table is still read', async () => {
    const whole = makePdf([{ heading: 'Found again', lines: [SENTENCE] }]).toString('latin1');
    const broken = whole.replace(/xref\n0[\s\S]*?trailer/, 'trailer').replace(/startxref\n\d+/, 'startxref\n7');
    assert.notEqual(broken, whole);
    assert.match(markdownOf(await parse(Buffer.from(broken, 'latin1'))), /Found again/);
  });

  test('pdf.js gives the text of the requested pages when the other readers fail', async () => {
    const pages = [{ lines: ['A line that goes', 'on, hyphen-', 'ated.'] }, { lines: ['Two.'] }, { lines: ['Three.'] }];
    const read = await readWithPdfjs(makePdf(pages), 2, () => false);
    assert.equal(read.totalPages, 3);
    assert.deepEqual(
      read.pages.map(({ parts }) => parts.map(({ text }) => text)),
      [['A line that goes on, hyphenated.'], ['Two.']],
    );
  });

  test('bytes that are not a PDF fail', async () => {
    await assert.rejects(parse(Buffer.from('%PDF-1.7\nnothing of the kind')));
  });
});
