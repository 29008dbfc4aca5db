// Each folder of test/texts is a case: a text file made by a real program, and the Markdown a careful reader would write.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TransformRequest } from '../src/page/page.ts';
import { fileKind } from '../src/parse/detect/detect.ts';
import { createPipeline } from '../src/transform/pipeline.ts';
import { assertExpected, assertVerified, readCases } from './support/expected.ts';

const ROOT = join(import.meta.dirname, 'texts');
const unused = () => {
  throw new Error('None of these files is a web page.');
};
const pipeline = createPipeline({ judge: unused, extract: unused });

test('every case says how it was verified', () => assertVerified(ROOT));

for (const { name, folder, source } of readCases(ROOT)) {
  test(`${name} becomes the expected Markdown`, () =>
    assertExpected(folder, markdownOf(source, readFileSync(join(folder, source)))));
}

function markdownOf(name: string, bytes: Uint8Array): string {
  assert.equal(fileKind({ bytes, contentType: '', name }), undefined, 'another parser handles this kind of file');
  const request: TransformRequest = {
    // Sent without a content type.
    page: { finalUrl: `https://example.com/${name}`, status: 200, headers: {}, contentType: '', bytes },
    options: {
      formats: ['markdown'],
      onlyMainContent: true,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
    },
  };
  return pipeline(request).content.markdown!;
}
