// Each folder of test/documents is a file as a program wrote it, and the Markdown that a person would make of it.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { USUAL_PDF } from '../src/operations/page/interpret-page.ts';
import { fileKind } from '../src/parse/detect/detect.ts';
import { createParserPool } from '../src/parse/process/parser-pool.ts';
import { createTransformPool } from '../src/transform/pool.ts';

const FOLDER = new URL('./documents/', import.meta.url).pathname;
const searchPath = process.env.PATH ?? '';
const hasTesseract = searchPath.split(delimiter).some((folder) => existsSync(join(folder, 'tesseract')));

const documents = createParserPool({ workers: 2, ocr: { languages: ['eng'], searchPath } });
const transformer = createTransformPool({ workers: 1 });
after(() => Promise.all([documents.close(), transformer.close()]));

describe('documents become the Markdown that is expected of them', { concurrency: 2 }, () => {
  for (const path of globSync('*/source.*', { cwd: FOLDER }).sort()) {
    const title = dirname(path);
    // What another engine reads in a picture differs by a letter or two.
    const needsOcr = title.startsWith('image--') || title.includes('scan');
    test(title, { skip: needsOcr && !hasTesseract ? 'there is no tesseract' : false }, async () => {
      const expected = join(FOLDER, title, 'expected.md');
      const markdown = await markdownOf(basename(path), readFileSync(FOLDER + path));
      assert.ok(existsSync(expected), `there is no expected.md for it; this is what it gives:\n${markdown}`);
      assert.equal(markdown.trimEnd(), readFileSync(expected, 'utf8').trimEnd());
    });
  }
});

async function markdownOf(name: string, bytes: Uint8Array): Promise<string> {
  const { signal } = new AbortController();
  const kind = fileKind({ bytes, contentType: '', name });
  assert.ok(kind, 'it is no document');
  const options = { pdf: USUAL_PDF, deadline: Date.now() + 60_000 };
  const parsed = await documents.parse({ kind, name, bytes }, options, signal);
  const { content } = await transformer.transform(
    {
      page: {
        finalUrl: `https://example.com/${name}`,
        status: 200,
        headers: {},
        contentType: '',
        bytes: new Uint8Array(),
      },
      options: {
        formats: ['markdown'],
        onlyMainContent: true,
        includeTags: [],
        excludeTags: [],
        removeBase64Images: true,
        blockAds: true,
      },
      parsedFile: { facts: { kind }, parsed },
    },
    signal,
  );
  return (JSON.parse(Buffer.from(content).toString()) as { markdown: string }).markdown;
}
