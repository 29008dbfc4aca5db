// Searches that must leave little or nothing behind: the tests look through the bytes of the data folder and the log.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { fetchPages, hostPaths, search, startSearchWeb } from '../support/search/search.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import type { Web } from '../support/web.ts';

const KNOWN = [{ at: 'known.test/compass', title: 'Compass', text: 'A compass points to the north.' }];
const SECRETS = ['usual', 'zerotrace', 'namelessone'].map((name) => ({
  at: `${name}.test/${name}path`,
  title: `About ${name}title`,
  text: `What is written here is ${name}content.`,
}));

let web: Web;
let searxng: ProviderStandIn;
let service: RunningProgram;

before(async () => {
  [web, searxng] = await Promise.all([startSearchWeb([...KNOWN, ...SECRETS]), startProviderStandIn('searxng')]);
  service = await startServiceWith(web, { TRAWL_SEARXNG_URL: searxng.url, TRAWL_LOG_LEVEL: 'debug' });
  await fetchPages(service, web, KNOWN);
});
after(async () => {
  await Promise.all([service?.stop(), searxng?.stop()]);
  await web?.stop();
});

/** Searches for this name, gets one page of that name from a provider, and scrapes it. */
function searchAndScrape(name: string, more: object = {}) {
  searxng.give({ url: web.url(`${name}.test`, `/${name}path`), title: `${name}provider` });
  return search(service, { query: `${name}query compass`, scrapeOptions: { formats: ['markdown'] }, ...more });
}

/** Where the words occur: names of files, or `log`. */
function traces(...words: string[]): string[] {
  const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const { stdout, stderr } = service.output();
  const texts = [
    ...files.map((file) => [file, readFileSync(file)] as const),
    ['log', Buffer.from(stdout + stderr)] as const,
  ];
  return texts.filter(([, bytes]) => words.some((word) => bytes.includes(word))).map(([file]) => file);
}

const isIndexed = async (word: string) =>
  (await search(service, { query: word, enterprise: ['zdr'] })).data.web!.some(({ title }) => title.includes('title'));

test('an ordinary search stores its query and what it scraped', async () => {
  const { data, creditsUsed } = await searchAndScrape('usual');
  assert.equal(data.web!.length, 2);
  assert.equal(creditsUsed, 2 + 2);
  searxng.give();
  await until(() => isIndexed('usualcontent'), Boolean);
  assert.ok(traces('usualquery').some((file) => file.includes('store.db')));
  assert.ok(traces('usualpath').some((file) => file.includes('store.db')));
  assert.ok(traces('usualpath').some((file) => file.includes('index.db')));
});

test('zdr leaves nothing in the store, the index, the blobs or the log', async () => {
  // Ten for the search, one more for each scrape.
  const cases: [more: object, credits: number][] = [
    [{ enterprise: ['zdr'] }, 10 + 2 * 2],
    [{ zeroDataRetention: true }, 10 + 2 * 2],
    [{ enterprise: ['zdr', 'anon'] }, 10 + 2 * 2],
  ];
  for (const [more, credits] of cases) {
    const { id, data, creditsUsed } = await searchAndScrape('zerotrace', more);
    assert.match(data.web!.find(({ url }) => url.includes('zerotrace'))!.markdown!, /zerotracecontent/);
    assert.equal(creditsUsed, credits);
    for (const { metadata } of data.web!) {
      assert.equal((await service.fetch(`/v2/scrape/${metadata!.scrapeId}`)).status, 404);
    }
    const rating = { rating: 'bad', querySuggestions: 'x' };
    assert.equal((await service.post(`/v2/search/${id}/feedback`, rating)).status, 404);
  }
  searxng.give();
  assert.equal(await isIndexed('zerotracecontent'), false);
  assert.deepEqual(
    traces('zerotracequery', 'zerotracepath', 'zerotracecontent', 'zerotracetitle', 'zerotraceprovider'),
    [],
  );
});

test('anon stores no query, but can be rated', async () => {
  const { id, creditsUsed } = await searchAndScrape('namelessone', { enterprise: ['anon'] });
  assert.equal(creditsUsed, 2 + 2);
  assert.deepEqual(traces('namelessonequery', 'namelessoneprovider'), []);
  assert.equal((await service.post(`/v2/search/${id}/feedback`, { rating: 'bad', querySuggestions: 'x' })).status, 200);
});

test('a search without traces still finds what others left', async () => {
  searxng.give();
  const { data } = await search(service, { query: 'compass north', enterprise: ['zdr'] });
  assert.deepEqual(hostPaths(data.web), ['known.test/compass']);
});
