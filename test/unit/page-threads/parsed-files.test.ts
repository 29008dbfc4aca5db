import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PageContent, TransformResult } from '../../../src/page/page.ts';
import { createPagePool, type PagePoolOptions } from '../../../src/page-threads/page-pool.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';
import type { Transformer } from '../../../src/transform/transformer.ts';
import { options, parsedFileRequest } from '../transform/parsed-file/parsed-file-samples.ts';

const never = new AbortController().signal;
const contentOf = ({ content }: TransformResult): PageContent => JSON.parse(new TextDecoder().decode(content));

function openPool(t: TestContext, limits: PagePoolOptions = {}): Transformer {
  const pool = createPagePool({ workers: 1, ...limits });
  t.after(() => pool.close());
  return pool;
}

test('parsed files go through a thread like pages', async (t) => {
  const pool = openPool(t);
  const outcome = await pool.transform(parsedFileRequest({ markdown: '# Tides' }), OWN_WORK, never);
  assert.deepEqual(contentOf(outcome), { markdown: '# Tides' });
  assert.deepEqual(outcome.document, { kind: 'pdf' });
  assert.equal(JSON.parse(new TextDecoder().decode(outcome.entry)).fileType, 'pdf');
  const page = { ...parsedFileRequest({ html: '' }).page, bytes: Buffer.from('%PDF-1.7') };
  const given = await pool.transform({ page, options, asBase64: true }, OWN_WORK, never);
  assert.deepEqual(contentOf(given), { markdown: 'JVBERi0xLjc=' });
});

test('a parsed file that takes too long is still returned as Markdown', async (t) => {
  const markdown = '*a '.repeat(200_000);
  const outcome = await openPool(t, { transformTimeoutMs: 5 }).transform(
    parsedFileRequest({ markdown }),
    OWN_WORK,
    never,
  );
  assert.equal(contentOf(outcome).markdown, markdown);
  assert.match(outcome.warnings.join(), /too much time or memory/);
});

test('a raw file is returned whole or not at all', async (t) => {
  const html = '<p>Tides</p>'.repeat(300_000);
  const raw = () => ({
    page: { ...parsedFileRequest({ html: '' }).page, contentType: 'text/html', bytes: Buffer.from(html) },
    options: { ...options, formats: ['rawBase64' as const] },
  });
  await assert.rejects(openPool(t, { transformTimeoutMs: 1 }).transform(raw(), OWN_WORK, never), {
    code: 'SCRAPE_SITE_ERROR',
  });
  const outcome = await openPool(t).transform(raw(), OWN_WORK, never);
  assert.equal(contentOf(outcome).rawBase64, Buffer.from(html).toString('base64'));
});
