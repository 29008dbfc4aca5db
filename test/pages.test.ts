// Each folder of test/pages is a case: a page, the expected Markdown, and what else must hold for the result.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PageContent, TransformOptions } from '../src/page/page.ts';
import { createExtractor } from '../src/transform/main-content/extractor.ts';
import { loadModel } from '../src/transform/main-content/model/model.ts';
import { createPipeline } from '../src/transform/pipeline.ts';
import { assertExpected, assertVerified, readCases } from './support/expected.ts';

interface Expected extends PageContent {
  contentType?: string;
  options?: Partial<TransformOptions>;
  /** A subset: other keys may be there too. */
  metadata?: Record<string, string | string[]>;
  absent?: string[];
  warnings?: string[];
}

const root = join(import.meta.dirname, 'pages');
const DEFAULTS: TransformOptions = {
  formats: ['markdown', 'html', 'rawHtml', 'links', 'images'],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
};
const extract = createExtractor(loadModel());
const pipeline = createPipeline({ judge: () => ({ kind: 'content', reason: '' }), extract });

test('every case says how it was verified', () => assertVerified(root));

for (const { name, folder, source } of readCases(root)) {
  test(`page ${name.replace('--', ': ').replaceAll('-', ' ')}`, () => {
    const expectedFile = join(folder, 'expected.json');
    const expected: Expected = existsSync(expectedFile) ? JSON.parse(readFileSync(expectedFile, 'utf8')) : {};
    const bytes = readFileSync(join(folder, source));
    const { content, metadata, warnings } = pipeline({
      page: {
        finalUrl: 'https://example.com/dir/page',
        status: 200,
        headers: {},
        contentType: expected.contentType ?? 'text/html; charset=utf-8',
        bytes,
      },
      options: { ...DEFAULTS, ...expected.options },
    });

    assertExpected(folder, content.markdown!);
    assert.equal(content.markdown, content.markdown!.trimEnd());
    if (content.rawHtml !== undefined) assert.equal(content.rawHtml, bytes.toString('utf8'));
    for (const key of ['html', 'links', 'images', 'attributes'] as const) {
      if (expected[key]) assert.deepEqual(content[key], expected[key], key);
    }
    for (const [key, value] of Object.entries(expected.metadata ?? {})) assert.deepEqual(metadata[key], value, key);
    for (const key of expected.absent ?? []) assert.equal(Object.hasOwn(metadata, key), false, key);
    assert.deepEqual(warnings, expected.warnings ?? []);
  });
}
