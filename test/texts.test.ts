// Each folder of test/texts is a file of text as a program wrote it, and the Markdown that a person would make of it.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TransformRequest } from '../src/contracts/page.ts';
import { fileKind } from '../src/parse/detect/detect.ts';
import { createPipeline } from '../src/transform/pipeline.ts';

const FOLDER = new URL('./texts/', import.meta.url).pathname;
const unused = () => {
  throw new Error('Nothing of this is a web page.');
};
const pipeline = createPipeline({ judge: unused, extract: unused });

for (const path of globSync('*/source.*', { cwd: FOLDER }).sort()) {
  const title = dirname(path);
  test(`${title} becomes the Markdown that is expected of it`, () => {
    const expected = join(FOLDER, title, 'expected.md');
    const markdown = markdownOf(basename(path), readFileSync(FOLDER + path));
    assert.ok(existsSync(expected), `there is no expected.md for it; this is what it gives:\n${markdown}`);
    assert.equal(markdown.trimEnd(), readFileSync(expected, 'utf8').trimEnd());
  });
}

function markdownOf(name: string, bytes: Uint8Array): string {
  assert.equal(fileKind({ bytes, contentType: '', name }), undefined, 'it has a parser of its own');
  const request: TransformRequest = {
    // As a server sends it that knows no better.
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
