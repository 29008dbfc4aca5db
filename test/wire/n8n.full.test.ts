// The bodies that the n8n node (@mendable/n8n-nodes-firecrawl 2.1.2) sends. It fills in every field of its forms, so many
// values are empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CRAWL, cancel } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService();

const send = async (path: string, body: object) => {
  const { status, body: answer } = await scene.service.post(`/v2${path}`, { ...body, integration: 'n8n' });
  assert.equal(status, 200, `${path}: ${JSON.stringify(answer)}`);
  return answer;
};

test('a crawl with an empty prompt, and with empty path patterns', async () => {
  const url = scene.web.url('news.test', '/plain');
  const defaults = { url, prompt: '', limit: 500, maxConcurrency: 100 };
  for (const body of [
    defaults,
    { ...defaults, includePaths: [''], excludePaths: [''], ignoreSitemap: false, allowSubdomains: false },
    { ...defaults, robotsUserAgent: '' },
  ]) {
    const { id } = await send('/crawl', body);
    await cancel(scene.service, `${CRAWL}/${id}`);
  }
});

test('a map with its defaults', async () => {
  const url = scene.web.url('news.test', '/plain');
  await send('/map', { url, sitemap: 'include', includeSubdomains: false, limit: 5000, timeout: 10_000, search: '' });
});

test('a search without a time filter', async () => {
  const body = { query: 'trawl', sources: [{ type: 'web' }], timeout: 60_000, limit: 5, tbs: '' };
  await send('/search', body);
  await send('/search', { ...body, location: '', country: '', sources: [{ type: 'web', tbs: '', location: '' }] });
});

test('a scrape whose option groups were opened and left empty', async () => {
  const echo = { url: scene.web.url('echo.test', '/headers'), formats: ['rawHtml'], maxAge: 0 };
  const { data } = (await send('/scrape', {
    ...echo,
    onlyMainContent: true,
    includeTags: [''],
    excludeTags: [],
    headers: {},
    waitFor: 0,
    mobile: false,
    skipTlsVerification: false,
    timeout: 30_000,
    removeBase64Images: true,
    blockAds: true,
    storeInCache: true,
    proxy: 'basic',
    location: { country: 'DE', languages: [] },
  })) as { data: { rawHtml: string } };
  // No language was chosen, so it is the country's.
  assert.match(data.rawHtml, /de-DE/);
  await send('/scrape', { ...echo, location: { country: '', languages: [''] } });
});

test('a batch', async () => {
  const urls = [scene.web.url('news.test', '/plain')];
  await send('/batch/scrape', { urls, parsers: ['pdf'], includeTags: [], location: { country: 'US', languages: [] } });
});

test('fields that are required stay required', async () => {
  for (const [path, body] of [
    ['/crawl/params-preview', { url: scene.web.url('news.test'), prompt: '' }],
    ['/search', { query: '', tbs: '' }],
    ['/scrape', { url: '' }],
    ['/scrape', { url: scene.web.url('news.test'), actions: [{ type: 'click', selector: '' }] }],
  ] as const) {
    assert.equal((await scene.service.post(`/v2${path}`, body)).status, 400, path);
  }
});
