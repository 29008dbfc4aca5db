// The cache, stored results, and requests with zero data retention.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  data: { markdown: string; html?: string; metadata: Record<string, unknown> };
}

// Looks at all that the service writes, and trusts the certificate of the small web.
let web: Web;
let service: RunningProgram;
const folder = mkdtempSync(join(tmpdir(), 'trawl-ca-'));
before(async () => {
  web = await startWeb();
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, web.certificate);
  service = await startServiceWith(web, { TRAWL_LOG_LEVEL: 'debug', NODE_EXTRA_CA_CERTS: authority });
});
after(async () => {
  await service?.stop();
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let fresh = 0;
/** A page that no other test has requested. */
const newPage = () => {
  fresh += 1;
  return `/article/${fresh}`;
};

async function scrape(path: string, options: object = {}) {
  const { status, body } = await service.scrape<Scraped>({ url: web.url('news.test', path), ...options });
  return { status, ...body, state: body.data?.metadata.cacheState };
}
const read = async (id: unknown) => service.fetch(`/v2/scrape/${id}`);

test('the second scrape comes from the cache and says when it was fetched', async () => {
  const path = newPage();
  const first = await scrape(path);
  assert.equal(first.state, 'miss');
  const second = await scrape(path);
  assert.equal(second.state, 'hit');
  assert.match(String(second.data.metadata.cachedAt), /^\d{4}-.*Z$/);
  assert.equal(second.data.markdown, first.data.markdown);
  assert.notEqual(second.data.metadata.scrapeId, first.data.metadata.scrapeId);
  assert.equal(web.requests('news.test', path), 1);
});

test('a cached page has the fragment of its request, not that of an earlier one', async () => {
  const path = newPage();
  await scrape(`${path}#first`);
  for (const fragment of ['', '#second']) {
    const { state, data } = await scrape(`${path}${fragment}`);
    const url = web.url('news.test', `${path}${fragment}`);
    assert.deepEqual([state, data.metadata.url, data.metadata.sourceURL], ['hit', url, url]);
  }
});

test('another format of a cached page needs no second request', async () => {
  const path = newPage();
  await scrape(path);
  const html = await scrape(path, { formats: ['html'] });
  assert.equal(html.state, 'hit');
  assert.match(String(html.data.html), /<h1/);
  assert.equal(web.requests('news.test', path), 1);
});

test('another variant is cached separately', async () => {
  const path = newPage();
  await scrape(path);
  assert.equal((await scrape(path, { mobile: true })).state, 'miss');
  assert.equal((await scrape(path, { location: { country: 'DE' } })).state, 'miss');
  assert.equal(web.requests('news.test', path), 3);
});

test('maxAge limits the age; 0 fetches anew', async () => {
  const path = newPage();
  await scrape(path);
  assert.equal((await scrape(path, { maxAge: 0 })).state, undefined);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal((await scrape(path, { maxAge: 20 })).state, 'miss');
  assert.equal((await scrape(path, { maxAge: 60_000 })).state, 'hit');
});

test('minAge uses only the cache', async () => {
  const path = newPage();
  const miss = await scrape(path, { minAge: 1 });
  assert.deepEqual([miss.status, miss.code], [404, 'SCRAPE_NO_CACHED_DATA']);
  assert.equal(web.requests('news.test', path), 0);
  await scrape(path);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await scrape(path, { minAge: 1 })).state, 'hit');
  assert.equal((await scrape(path, { minAge: 3_600_000 })).code, 'SCRAPE_NO_CACHED_DATA');
});

test('requests with storeInCache false or custom headers bypass the cache', async () => {
  const path = newPage();
  await scrape(path, { storeInCache: false });
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  const own = await scrape(path, { headers: { Cookie: 'me=1' } });
  assert.equal(own.state, undefined);
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  await scrape(path);
  await scrape(path, { headers: { Cookie: 'me=1' } });
  assert.equal(web.requests('news.test', path), 4, 'a page with custom headers is never served from the cache');
});

test('lockdown answers only from the cache, at its own price, and stores nothing', async () => {
  const path = newPage();
  const miss = await scrape(path, { lockdown: true });
  assert.deepEqual([miss.status, miss.code], [404, 'SCRAPE_LOCKDOWN_CACHE_MISS']);
  assert.equal(web.requests('news.test', path), 0);
  await scrape(path);
  const hit = await scrape(path, { lockdown: true });
  assert.deepEqual([hit.state, hit.data.metadata.creditsUsed], ['hit', 5]);
  assert.equal((await read(hit.data.metadata.scrapeId)).status, 404);
  assert.equal(web.requests('news.test', path), 1);
});

test('a cache miss names the option that made it miss, and the log does not name the page', async () => {
  const path = '/article/13579';
  await scrape(path, { mobile: true });
  const missed = async (options: object) => {
    const { status, error } = await scrape(path, options);
    assert.equal(status, 404);
    return error!;
  };
  assert.match(
    await missed({ lockdown: true }),
    /A copy exists for `mobile: true`; send that option to get it\..*leave out `lockdown`/,
  );
  assert.match(await missed({ minAge: 0 }), /A copy exists for `mobile: true`; .*leave out `minAge`/);
  await scrape(path, { location: { country: 'DE' }, waitFor: 1_000, mobile: true });
  assert.match(
    await missed({ lockdown: true, waitFor: 1_000, location: { country: 'DE' } }),
    /`mobile: true`; send that/,
  );
  await scrape(path, { location: { country: 'AT' } });
  const elsewhere = await missed({ lockdown: true });
  assert.match(elsewhere, /A copy exists for `(mobile: true|location: \{"country":"AT","languages":\["de-AT"\]\})`; /);
  assert.match(await missed({ minAge: 3_600_000, mobile: true }), /fetched at \d{4}-.*Z, which `minAge` excludes/);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.match(await missed({ lockdown: true, maxAge: 1, mobile: true }), /fetched at .*, which `maxAge` excludes/);
  assert.match(
    await missed({ lockdown: true, headers: { Cookie: 'a=1' } }),
    /Requests with `headers` never read the cache/,
  );
  assert.match(
    await missed({ lockdown: true, skipTlsVerification: false, mobile: true, maxAge: 1 }),
    /`maxAge` excludes/,
  );
  const unknown = await scrape('/article/13580', { lockdown: true });
  assert.match(unknown.error!, /^The page is not in the cache/);
  const { stdout, stderr } = service.output();
  assert.ok(!(stdout + stderr).includes('13579') && !(stdout + stderr).includes('13580'));
});

test('a page with an invalid certificate is never served to a request that wants it verified', async () => {
  // The certificate does not name this host.
  const url = web.secureUrl('unlisted.test', '/');
  const ask = async (options: object = {}) => (await service.scrape<Scraped>({ url, ...options })).body;
  assert.equal((await ask()).data.metadata.cacheState, 'miss');
  assert.equal((await ask()).data.metadata.cacheState, 'hit');
  assert.equal((await ask({ skipTlsVerification: false })).code, 'SCRAPE_SSL_ERROR');
  const strict = await ask({ skipTlsVerification: false, lockdown: true });
  assert.equal(strict.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
  assert.match(strict.error!, /A copy exists for `skipTlsVerification: true`/);
  assert.equal((await ask({ lockdown: true })).data.metadata.cacheState, 'hit');
});

test('a page whose certificate was valid serves everybody, although nobody asked for that', async () => {
  const ask = async (url: string, options: object = {}) => (await service.scrape<Scraped>({ url, ...options })).body;
  const valid = web.secureUrl('news.test', newPage());
  assert.equal((await ask(valid)).data.metadata.cacheState, 'miss');
  assert.equal((await ask(valid, { skipTlsVerification: false })).data.metadata.cacheState, 'hit');
  const plain = web.url('news.test', newPage());
  await ask(plain);
  assert.equal((await ask(plain, { skipTlsVerification: false })).data.metadata.cacheState, 'hit');
});

test('a page with an error status is cached, too', async () => {
  const url = web.url('error.test', '/404');
  await service.scrape({ url });
  assert.equal((await service.scrape<Scraped>({ url })).body.data.metadata.cacheState, 'hit');
});

test('a scrape can be read again by its id', async () => {
  const { data } = await scrape(newPage(), { formats: ['markdown', 'html'] });
  const response = await read(data.metadata.scrapeId);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { success: true, data });
});

test('unknown and malformed ids get different errors', async () => {
  const unknown = await read('01890a5d-ac96-774b-bcce-b302099a8057');
  assert.equal(unknown.status, 404);
  assert.deepEqual(await unknown.json(), { success: false, code: 'JOB_NOT_FOUND', error: 'Job not found.' });
  const malformed = await read('nonsense');
  assert.equal(malformed.status, 400);
  assert.match(
    ((await malformed.json()) as { error: string }).error,
    /^Invalid job ID format\. Job ID must be a valid UUID\.$/,
  );
});

test('a zero-data-retention request leaves nothing behind', async () => {
  const path = '/article/987654321';
  const { data } = await scrape(path, { zeroDataRetention: true });
  assert.equal(data.metadata.creditsUsed, 2);
  assert.equal((await read(data.metadata.scrapeId)).status, 404);
  assert.equal((await scrape(path, { minAge: 0 })).code, 'SCRAPE_NO_CACHED_DATA');
  await scrape('/article/987654322', { lockdown: true });
  const traces = readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('98765432'));
  assert.deepEqual(
    traces.map(({ name }) => name),
    [],
  );
  const { stdout, stderr } = service.output();
  assert.ok(!(stdout + stderr).includes('98765432'));
});
