// Every folder of test/pages is one case: a page, the Markdown expected of it, and what else must hold of the outcome.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PageContent, TransformOptions } from '../src/contracts/page.ts';
import { createExtractor } from '../src/transform/main-content/extractor.ts';
import { loadModel } from '../src/transform/main-content/model/model.ts';
import { createPipeline } from '../src/transform/pipeline.ts';

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

for (const name of readdirSync(root).sort()) {
  test(`page ${name.replace('--', ': ').replaceAll('-', ' ')}`, () => {
    const folder = join(root, name);
    const source = readdirSync(folder).find((file) => file.startsWith('source.'));
    assert.ok(source, `${name} has no source file`);
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

    assert.equal(`${content.markdown}\n`, readFileSync(join(folder, 'expected.md'), 'utf8'));
    if (content.rawHtml !== undefined) assert.equal(content.rawHtml, bytes.toString('utf8'));
    for (const key of ['html', 'links', 'images', 'attributes'] as const) {
      if (expected[key]) assert.deepEqual(content[key], expected[key], key);
    }
    for (const [key, value] of Object.entries(expected.metadata ?? {})) assert.deepEqual(metadata[key], value, key);
    for (const key of expected.absent ?? []) assert.equal(Object.hasOwn(metadata, key), false, key);
    assert.deepEqual(warnings, expected.warnings ?? []);
  });
}
