// The output of a parser is bounded before it leaves its process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedFile } from '../../../../src/page/parsed.ts';
import { checkOutput } from '../../../../src/parse/process/inside/check-output.ts';

const LIMITS = { outputLength: 100, warnings: 3 };
const parsed = (more: Partial<ParsedFile>): ParsedFile => ({
  body: { markdown: 'short' },
  metadata: {},
  warnings: [],
  ...more,
});

test('a file within the limits is returned unchanged', () => {
  const file = parsed({ metadata: { title: 'A title', keywords: ['a', 'b'] }, warnings: ['A part is missing.'] });
  assert.deepEqual(checkOutput(file, LIMITS), file);
});

test('more text than the limit is too complex, wherever it is', () => {
  const long = 'x'.repeat(101);
  const item = { id: 'p1.b1', type: 'text', label: null, bbox: null, content: long } as const;
  const rest = { markdownSpan: null, readingOrder: 0, source: null, confidence: { layout: null, ocr: null } };
  const page = { pageNumber: 1, width: null, height: null, status: 'ok' } as const;
  for (const file of [
    parsed({ body: { markdown: long } }),
    parsed({ body: { html: long } }),
    parsed({ pages: [{ pageNumber: 1, markdown: long }] }),
    parsed({ blocks: [{ ...page, items: [{ ...item, ...rest }] }] }),
  ]) {
    assert.throws(() => checkOutput(file, LIMITS), { code: 'DOCUMENT_TOO_COMPLEX' });
  }
});

test('endless warnings and metadata are cut', () => {
  const many = Array.from({ length: 500 }, (_, number) => String(number));
  const metadata = Object.fromEntries(many.map((name) => [name, 'y'.repeat(5_000)]));
  const checked = checkOutput(parsed({ warnings: many, metadata: { list: many, ...metadata } }), LIMITS);
  assert.equal(checked.warnings.length, 3);
  assert.equal(Object.keys(checked.metadata).length, 100);
  for (const value of Object.values(checked.metadata)) assert.ok(value.length <= 2_000);
});
