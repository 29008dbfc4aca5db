// Teams that have zero data retention and anonymous search forced, allowed or not at all. What must not be stored is looked
// for in every file of the data folder, unpacked where it is compressed, and in the log.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { TeamSettings } from '../../src/contracts/team/policy.ts';
import { findInFolder } from '../support/found-bytes.ts';
import { BATCH, CRAWL, cancel, read, runBatch, runCrawl } from '../support/jobs.ts';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { startSearchWeb } from '../support/search/search.ts';
import { type Answer, type RunningProgram, startServiceWith } from '../support/service.ts';
import type { Web } from '../support/web.ts';

/** Its names stand in URL, title and text of its page. */
const page = (name: string) => ({
  at: `${name}.test/${name}path`,
  title: `About ${name}title`,
  text: `What is written here is ${name}content, and nothing else is known about it.`,
});
const partsOf = (name: string) => ['query', 'path', 'title', 'content', 'file'].map((part) => name + part);
/** Each team sends its requests from an address of its own, as its proxy says. */
let lastAddress = 100;

let web: Web;
let searxng: ProviderStandIn;
let service: RunningProgram;

before(async () => {
  const pages = ['forcedly', 'plainly', 'namelessly'].map(page);
  [web, searxng] = await Promise.all([startSearchWeb(pages), startProviderStandIn('searxng')]);
  const settings = { TRAWL_SEARXNG_URL: searxng.url, TRAWL_LOG_LEVEL: 'debug', TRAWL_TRUSTED_PROXIES: '127.0.0.1' };
  service = await startServiceWith(web, settings);
});
after(async () => {
  await Promise.all([service?.stop(), searxng?.stop()]);
  await web?.stop();
});

interface TeamClient extends RunningProgram {
  address: string;
  keyId: string;
  prefix: string;
}

/** A new team with these settings, as one of its keys sees the service. */
async function teamWith(name: string, settings: TeamSettings, limits: object = {}): Promise<TeamClient> {
  const team = await service.post<{ data: { id: string } }>('/v2/teams', { name, ...settings });
  assert.equal(team.status, 200, JSON.stringify(team.body));
  const path = `/v2/teams/${team.body.data.id}/keys`;
  const { body } = await service.post<{ data: { id: string; key: string; prefix: string } }>(path, limits);
  const { key, id: keyId, prefix } = body.data;
  lastAddress += 1;
  const address = `203.0.113.${lastAddress}`;
  const sent = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
  const call: RunningProgram['fetch'] = (to, init = {}) =>
    service.fetch(to, { ...init, headers: { ...init.headers, ...sent } });
  const post = async <T>(to: string, given: unknown): Promise<Answer<T>> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
    const response = await call(to, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return { ...service, address, key, keyId, prefix, fetch: call, post, scrape: (given) => post('/v2/scrape', given) };
}

const urlOf = (name: string) => web.url(`${name}.test`, `/${name}path`);
const give = (name: string) => searxng.give({ url: urlOf(name), title: `${name}title` });

function upload(team: TeamClient, name: string, options: object = {}): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([`# ${name}title\n\n${name}content`], { type: 'text/markdown' }), `${name}file.md`);
  form.set('options', JSON.stringify({ formats: ['markdown'], ...options }));
  return team.fetch('/v2/parse', { method: 'POST', body: form });
}

/** Everything that reads pages for its caller and works without storing them. */
async function useAll(team: TeamClient, name: string): Promise<number[]> {
  give(name);
  const url = urlOf(name);
  const answers = [
    await team.scrape({ url }),
    await team.post('/v2/map', { url }),
    await team.post('/v2/search', { query: `${name}query`, scrapeOptions: { formats: ['markdown'] } }),
    await upload(team, name),
  ];
  const batch = await runBatch(team, { urls: [url] });
  const crawl = await runCrawl(team, { url, limit: 1 });
  assert.match(JSON.stringify([batch.documents, crawl.documents]), new RegExp(`${name}content.*${name}content`));
  await cancel(team, `${BATCH}/${batch.id}`);
  await cancel(team, `${CRAWL}/${crawl.id}`);
  return answers.map(({ status }) => status);
}

const traces = (...words: string[]): string[] => {
  const { stdout, stderr } = service.output();
  const logged = words.filter((word) => (stdout + stderr).includes(word)).map((word) => `log: ${word}`);
  return [...findInFolder(service.dataDir, words), ...logged];
};

/** Tables with rows that contain one of the words. */
function tablesWith(...words: string[]): string[] {
  const database = new DatabaseSync(join(service.dataDir, 'store.db'), { readOnly: true });
  try {
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => String(name));
    const text = (name: string) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all());
    return tables.filter((name) => words.some((word) => text(name).includes(word)));
  } finally {
    database.close();
  }
}

test('forced: every operation behaves as if zero data retention had been asked for, and nothing is on disk', async () => {
  const usual = await teamWith('usual', {});
  assert.deepEqual(await useAll(usual, 'plainly'), [200, 200, 200, 200]);
  // The test finds what is there.
  for (const part of partsOf('plainly')) assert.notDeepEqual(traces(part), [], part);

  const team = await teamWith('forced', { zeroDataRetention: 'forced' });
  assert.deepEqual(await useAll(team, 'forcedly'), [200, 200, 200, 200]);
  assert.deepEqual(traces(...partsOf('forcedly')), []);

  const scraped = await team.scrape<{ data: { metadata: { creditsUsed: number; scrapeId: string } } }>({
    url: urlOf('forcedly'),
  });
  const { creditsUsed, scrapeId } = scraped.body.data.metadata;
  assert.equal(creditsUsed, 2, 'one for the page, one for zero data retention');
  assert.equal((await read(team, `/v2/scrape/${scrapeId}`)).status, 404);
  const activity = await read<{ data: { endpoint: string; target: string | null }[] }>(team, '/v2/team/activity');
  assert.ok(activity.body.data.length >= 6);
  assert.deepEqual(new Set(activity.body.data.map(({ target }) => target)), new Set([null]));
});

test('forced: what has to store content is refused', async () => {
  const team = await teamWith('storing', { zeroDataRetention: 'forced' });
  const url = urlOf('plainly');
  const monitor = { name: 'm', schedule: { cron: '0 * * * *' }, targets: [{ type: 'scrape', urls: [url] }] };
  const calls: [path: string, body: object, reason: string][] = [
    ['/v2/monitor', monitor, 'Monitors compare pages with those of their last check, so they have to store them.'],
    [
      '/v2/extract',
      { urls: [url], prompt: 'title' },
      'Extractions are stored until you have fetched them. Use POST /v2/scrape with the format `json`, or POST /v2/agent.',
    ],
    [
      '/v2/parse/upload-url',
      { filename: 'a.pdf' },
      'Files that are sent ahead have to be stored. Send the file with POST /v2/parse.',
    ],
  ];
  for (const [path, body, reason] of calls) {
    const answer = await team.post<object>(path, body);
    const error = `All requests of your team have zero data retention. ${reason}`;
    assert.deepEqual([answer.status, answer.body], [403, { success: false, code: 'FEATURE_NOT_ENABLED', error }]);
  }
});

test('absent: requests that ask for it are refused, in every operation', async () => {
  const team = await teamWith('without', { zeroDataRetention: 'absent', anonymous: 'absent' });
  const url = urlOf('plainly');
  const refusal = (feature: string) => ({
    success: false,
    code: 'FEATURE_NOT_ENABLED',
    error: `${feature} is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.`,
  });
  const zero = { zeroDataRetention: true };
  const calls: [path: string, body: object, feature: string][] = [
    ['/v2/scrape', { url, ...zero }, 'Zero data retention'],
    ['/v2/batch/scrape', { urls: [url], ...zero }, 'Zero data retention'],
    ['/v2/crawl', { url, ...zero }, 'Zero data retention'],
    ['/v2/crawl/params-preview', { url, prompt: 'all', ...zero }, 'Zero data retention'],
    ['/v2/map', { url, ...zero }, 'Zero data retention'],
    ['/v2/search', { query: 'x', ...zero }, 'Zero data retention'],
    ['/v2/search', { query: 'x', enterprise: ['zdr'] }, 'Zero data retention'],
    ['/v2/search', { query: 'x', enterprise: ['anon'] }, 'Anonymous search'],
    ['/v2/extract', { urls: [url], prompt: 'x', ...zero }, 'Zero data retention'],
    ['/v2/agent', { prompt: 'x', ...zero }, 'Zero data retention'],
  ];
  for (const [path, body, feature] of calls) {
    const answer = await team.post<object>(path, body);
    assert.deepEqual([answer.status, answer.body], [403, refusal(feature)], path);
  }
  const parsed = await upload(team, 'plainly', zero);
  assert.deepEqual([parsed.status, await parsed.json()], [403, refusal('Zero data retention')]);
});

test('an anonymous search leaves neither the query nor the caller, asked for or forced', async () => {
  const cases: [name: string, settings: TeamSettings, more: object][] = [
    ['asking', { anonymous: 'allowed' }, { enterprise: ['anon'] }],
    ['hidden', { anonymous: 'forced' }, {}],
  ];
  for (const [name, settings, more] of cases) {
    const team = await teamWith(name, settings);
    give('namelessly');
    const asked = searxng.asked.length;
    const body = { query: 'namelesslyquery', ...more };
    const { status, body: found } = await team.post<{ data: { web: object[] }; creditsUsed: number }>(
      '/v2/search',
      body,
    );
    assert.deepEqual([status, found.data.web.length, found.creditsUsed], [200, 1, 2]);
    assert.deepEqual(traces('namelesslyquery', 'namelesslypath', 'namelesslytitle', team.address), []);
    // The list of keys has the key, and the audit log says who made it.
    assert.deepEqual(tablesWith(team.prefix, team.keyId), ['keys', 'audit'], name);
    assert.ok(searxng.asked.length > asked);
    const sent = JSON.stringify(searxng.asked.slice(asked).map(({ headers }) => headers));
    for (const word of [team.key, team.prefix, team.address, 'referer', 'forwarded', 'authorization']) {
      assert.ok(!sent.toLowerCase().includes(word.toLowerCase()), word);
    }
    const activity = await read<{ data: object[] }>(team, '/v2/team/activity');
    assert.equal((activity.body.data[0] as { target: null }).target, null);
  }
  const plain = await teamWith('named', {});
  await plain.post('/v2/search', { query: 'namelesslyother' });
  assert.notDeepEqual(traces('namelesslyother'), []);
  assert.ok(tablesWith(plain.prefix, plain.keyId).length > 2, 'the ledger names the key of other searches');
});

test('a key with a budget of its own cannot search anonymously', async () => {
  const team = await teamWith('budgeted', { anonymous: 'allowed' }, { limits: { monthlyCredits: 100 } });
  const answer = await team.post<object>('/v2/search', { query: 'x', enterprise: ['anon'] });
  assert.deepEqual(
    [answer.status, answer.body],
    [
      403,
      {
        success: false,
        code: 'KEY_RESTRICTED',
        error:
          'Request blocked: this API key has a monthly budget, and anonymous searches cannot be counted by key. Use a key without a budget of its own.',
      },
    ],
  );
});
