// Each folder of test/documents is a case: a file made by a real program, and the Markdown a careful reader would write.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, describe } from 'node:test';
import { DEFAULT_PDF } from '../src/operations/page/interpret-page.ts';
import { createPagePool } from '../src/page-threads/page-pool.ts';
import { fileKind } from '../src/parse/detect/detect.ts';
import { createParserPool } from '../src/parse/process/parser-pool.ts';
import { OWN_WORK } from '../src/runtime/gate/gate.ts';
import { assertExpected, assertVerified, readCases } from './support/expected.ts';
import { fullTest, test } from './support/full-run.ts';

const ROOT = join(import.meta.dirname, 'documents');
const SCAN = 'pdf--scan';
const searchPath = process.env.PATH ?? '';
const hasTesseract = searchPath.split(delimiter).some((folder) => existsSync(join(folder, 'tesseract')));

const documents = createParserPool({ workers: 2, ocr: { languages: ['eng'], searchPath } });
const transformer = createPagePool({ workers: 1 });
after(() => Promise.all([documents.close(), transformer.close()]));

test('every case says how it was verified', () => assertVerified(ROOT));

describe('files become the expected Markdown', { concurrency: 2 }, () => {
  for (const { name, folder, source } of readCases(ROOT)) {
    // Other OCR engines read some letters differently.
    const needsOcr = name.startsWith('image--') || name.includes('scan');
    // Recognising letters takes seconds: one page of them tells whether it works at all.
    const add = needsOcr && name !== SCAN ? fullTest : test;
    add(name, { skip: needsOcr && !hasTesseract ? 'tesseract is not installed' : false }, async () => {
      assertExpected(folder, await markdownOf(source, readFileSync(join(folder, source))));
    });
  }
});

async function markdownOf(name: string, bytes: Uint8Array): Promise<string> {
  const { signal } = new AbortController();
  const kind = fileKind({ bytes, contentType: '', name });
  assert.ok(kind, 'no parser knows this kind of file');
  const options = { pdf: DEFAULT_PDF, deadline: Date.now() + 60_000 };
  const parsed = await documents.parse({ kind, name, bytes }, options, OWN_WORK, signal);
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
    OWN_WORK,
    signal,
  );
  return (JSON.parse(Buffer.from(content).toString()) as { markdown: string }).markdown;
}
