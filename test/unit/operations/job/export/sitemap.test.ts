// A sitemap says when a page was changed only where that is known, and has nothing that is no page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSitemap } from '../../../../../src/operations/job/export/site/sitemap.ts';
import { uuidv7 } from '../../../../../src/util/ids.ts';

const READ = Date.parse('2026-11-10T12:00:00Z');

async function lastmod(document: object, kind: 'crawl' | 'batch_scrape' = 'crawl') {
  const { metadata, ...rest } = { metadata: {}, ...document };
  const facts = { url: 'https://site.test/a?b=1&c=2#part', statusCode: 200, scrapeId: uuidv7(READ), ...metadata };
  const json = Buffer.from(JSON.stringify({ ...rest, metadata: facts }));
  const slices = async function* () {
    yield { json, ends: [json.length] };
  };
  const parts: Uint8Array[] = [];
  for await (const part of writeSitemap(slices(), { kind })) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const [, entry] = /<url>(.*)<\/url>/.exec(text) ?? [];
  return entry?.replace('<loc>https://site.test/a?b=1&amp;c=2</loc>', '');
}

test('a page says when it was changed, in the form of sitemaps and not after it was read', async () => {
  const said = (modifiedTime: unknown) => lastmod({ metadata: { modifiedTime } });
  assert.equal(await said('2026-11-01'), '<lastmod>2026-11-01</lastmod>');
  assert.equal(await said('2026-11-01T10:00:00+02:00'), '<lastmod>2026-11-01T08:00:00.000Z</lastmod>');
  for (const other of ['yesterday', '2026', '2026-13-45', '2027-01-01', '<b>', undefined, 7])
    assert.equal(await said(other), '');
});

test('a change that was found counts if it is known when', async () => {
  const changed = { changeTracking: { changeStatus: 'changed' } };
  assert.equal(await lastmod(changed), '<lastmod>2026-11-10T12:00:00.000Z</lastmod>');
  assert.equal(await lastmod(changed, 'batch_scrape'), '', 'the ID of the scrape is as old as the batch');
  for (const changeStatus of ['same', 'new']) assert.equal(await lastmod({ changeTracking: { changeStatus } }), '');
});

test('errors, and what has no address, are not in it', async () => {
  for (const metadata of [{ statusCode: 404 }, { url: 'javascript:alert(1)' }, { url: undefined }])
    assert.equal(await lastmod({ metadata }), undefined);
});
