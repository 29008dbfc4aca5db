// Documents written from stored texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentMetadata } from '../../../src/contracts/document.ts';
import type { PageContent } from '../../../src/contracts/page.ts';
import { assembleDocument } from '../../../src/operations/document.ts';
import { writeDocument } from '../../../src/store/sqlite/documents.ts';

const SEED = 20260105;

test(`a document is written as it would be put together and turned to text (seed ${SEED})`, () => {
  const text = fc.string({ unit: 'binary' });
  const content = fc.record(
    { markdown: text, html: text, links: fc.array(text), images: fc.constant([]) },
    { requiredKeys: [] },
  );
  const warning = fc.option(text, { nil: undefined });
  fc.assert(
    fc.property(content, warning, fc.dictionary(text, text), (asked, warned, values) => {
      const metadata = values as unknown as DocumentMetadata;
      const expected = JSON.stringify(assembleDocument(asked as PageContent, metadata, warned));
      const written = writeDocument(Buffer.from(JSON.stringify(asked)), warned ?? null, JSON.stringify(metadata));
      assert.equal(Buffer.from(written).toString(), Buffer.from(expected).toString());
    }),
    { seed: SEED, numRuns: 300 },
  );
});
