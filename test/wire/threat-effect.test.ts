// A team's threat policy in every call: a forbidden host gets no request.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { ROUTE_POLICY } from '../../src/policy/route-policy.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, jobEnd, read, runCrawl, startJob, until } from '../support/jobs.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import type { Answer, RunningService } from '../support/service.ts';
import {
  answerOf,
  BLOCKED,
  dataDir,
  EVIL,
  evil,
  free,
  good,
  guarded,
  noBrowser,
  post,
  refuses,
  runs,
  untouched,
  useThreats,
} from '../support/wire/threat-effect.ts';

useThreats();

async function inSession(path: string): Promise<void> {
  const { body } = await post(path, {});
  const [to, moved, framed, scripted] = [evil(), good('/moved'), good('/framed'), good('/scripted')].map((url) =>
    JSON.stringify(url),
  );
  // Chromium reports no `load` of a page whose script goes elsewhere before, so the last one is not waited for.
  const code = `
    const seen = {};
    const goto = (url) => page.goto(url).then(() => 'opened', (error) => /ERR_\\w+/.exec(error.message)?.[0]);
    seen.direct = await goto(${to});
    seen.redirect = await goto(${moved});
    await page.goto(${framed});
    seen.frame = await page.title();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.evaluate((to) => { window.open(to); }, ${to})]);
    seen.tab = tab.url();
    await page.goto(${scripted}, { waitUntil: 'commit' });
    await page.waitForTimeout(300);
    seen.script = page.url();
    seen.fetch = await page.evaluate((to) => fetch(to, { mode: 'no-cors' }).then(() => 'read', () => 'failed'), ${to});
    JSON.stringify(seen)`;
  const execute = (text: string) =>
    guarded.post<{ result: string; error?: string }>(`${path}/${body.id}/execute`, { code: text, timeout: 60 });
  try {
    const { body: ran } = await untouched(() => execute(code));
    assert.equal(ran.error, undefined);
    assert.deepEqual(JSON.parse(ran.result), {
      direct: 'ERR_ABORTED',
      redirect: 'ERR_ABORTED',
      frame: 'Framed',
      tab: 'chrome-error://chromewebdata/',
      script: good('/scripted'),
      fetch: 'failed',
    });
    // The next program connects anew, and finds the tab that was kept back.
    assert.equal((await execute('page.context().pages().length')).body.result, '2');
  } finally {
    await guarded.fetch(`${path}/${body.id}`, { method: 'DELETE' });
  }
}

const developer = async (path: string, ask: (query: string) => Promise<Answer>) => {
  const { status, body } = await ask('ladders');
  const results = body.results as { url: string }[];
  assert.equal(status, 200, path);
  assert.deepEqual(
    results.filter(({ url }) => /github\.com|evil/.test(url)),
    [],
    path,
  );
};

const byQuery = (path: string) => developer(path, (query) => read(guarded, `${path}?query=${query}&k=10`));

const byPost = (path: string) => developer(path, (query) => post(path, { query, k: 10 }));

const monitorOf = (url: string) => ({
  name: 'Ladders',
  schedule: { cron: '0 0 1 1 *' },
  targets: [{ type: 'scrape', urls: [url] }],
});

const createMonitor = async (url: string) => {
  const { status, body } = await post('/v2/monitor', monitorOf(url));
  assert.equal(status, 200, JSON.stringify(body));
  return `/v2/monitor/${(body.data as { id: string }).id}`;
};

const put = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const response = await guarded.fetch(path, { method: 'PUT', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { code: string } };
};

const createCollection = async (name: string, url: string) => {
  const path = `/v2/collections/${name}`;
  assert.equal((await put(path, { targets: monitorOf(url).targets })).status, 200);
  return path;
};

type Judged = { [Id in keyof typeof ROUTE_POLICY]: Id }[keyof typeof ROUTE_POLICY];

const noCode = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;

const CALLS: Partial<Record<Judged, { skip?: string | false | undefined; isSlow?: boolean; run(): Promise<void> }>> = {
  scrape: {
    run: () => refuses('/v2/scrape', { url: evil() }, { url: good('/moved') }, { url: good('/refreshed') }),
  },
  batchScrape: {
    async run() {
      const urls = [good('/plain'), evil(), good('/moved'), good('/refreshed')];
      const { id, problems } = await untouched(async () => {
        const id = await startJob(guarded, BATCH, { urls });
        await jobEnd(guarded, `${BATCH}/${id}`);
        return {
          id,
          problems: (await read<{ errors: { url: string; code: string }[] }>(guarded, `${BATCH}/${id}/errors`)).body,
        };
      });
      assert.deepEqual(
        problems.errors.map(({ url, code }) => [url, code]).toSorted(),
        [
          [evil(), 'unsafe_domain_blocked'],
          [good('/moved'), 'unsafe_domain_blocked'],
          [good('/refreshed'), 'unsafe_domain_blocked'],
        ].toSorted(),
        id,
      );
      await refuses(BATCH, { urls: [good('/plain')], webhook: evil('/hook') });
    },
  },
  crawl: {
    async run() {
      await refuses(CRAWL, { url: evil() }, { url: good(), webhook: evil('/hook') });
      const { documents, problems } = await untouched(() =>
        runCrawl(guarded, { url: good(), allowExternalLinks: true }),
      );
      assert.deepEqual(documents.map(({ metadata }) => metadata.sourceURL).toSorted(), [good(), good('/plain')]);
      assert.deepEqual(
        problems.errors.map(({ url, code }) => [url, code]).toSorted(),
        [
          [evil('/article'), 'unsafe_domain_blocked'],
          [good('/moved'), 'unsafe_domain_blocked'],
        ].toSorted(),
      );
    },
  },
  crawlPreview: { run: () => refuses('/v2/crawl/params-preview', { url: evil(), prompt: 'All about ladders' }) },
  map: {
    async run() {
      await refuses('/v2/map', { url: evil() }, { url: good('/moved') });
      const { body } = await untouched(() => post('/v2/map', { url: good(), allowExternalLinks: true }));
      const links = (body.links as { url: string }[]).map(({ url }) => url);
      assert.ok(links.includes(good('/plain')));
      assert.deepEqual(
        links.filter((url) => url.startsWith(evil())),
        [],
      );
    },
  },
  search: {
    async run() {
      for (const url of [good('/plain'), evil('/found')]) assert.equal((await free.scrape({ url })).status, 200);
      const asked = { query: 'ladders gardeners', limit: 20, explain: true, scrapeOptions: { formats: ['markdown'] } };
      // A search does not wait long for pages that were read just now.
      await until(
        () => free.post<{ data: { web: { url: string }[] } }>('/v2/search', asked),
        ({ body }) => [good('/plain'), evil('/found')].every((page) => body.data.web.some(({ url }) => url === page)),
      );
      const { body } = await untouched(() => post('/v2/search', asked));
      const found = (body.data as { web: { url: string }[] }).web.map(({ url }) => url);
      assert.ok(found.includes(good('/plain')));
      assert.ok(found.every((url) => !url.startsWith(evil())));
      assert.ok(Number((body.explain as { blocked: number }).blocked) >= 1);
      // The top level decides about results: it may allow them, and the pages then follow `scrapeOptions`.
      const allowed = { ...asked, threatProtection: { blacklist: [] } };
      const strict = { ...allowed.scrapeOptions, threatProtection: { blacklist: [EVIL] } };
      const { body: own } = await untouched(() => post('/v2/search', { ...allowed, scrapeOptions: strict }));
      const [bad] = (own.data as { web: { url: string; metadata: { errorCode?: string } }[] }).web.filter(
        ({ url }) => url === evil('/found'),
      );
      assert.equal(bad?.metadata.errorCode, 'unsafe_domain_blocked');
    },
  },
  answer: {
    async run() {
      for (const url of [good('/plain'), evil('/found')]) assert.equal((await free.scrape({ url })).status, 200);
      const pagesOf = (body: Record<string, unknown>) => (body.data as { pages: { url: string }[] }).pages;
      const asked = { query: 'Where are the ladders of the gardeners?', limit: 10 };
      const { body: open } = await until(
        () => free.post<Record<string, unknown>>('/v2/answer', asked),
        ({ body }) => pagesOf(body).some(({ url }) => url === evil('/found')),
      );
      assert.ok(pagesOf(open).some(({ url }) => url === good('/plain')));
      const { body } = await untouched(() => post('/v2/answer', asked));
      assert.ok(pagesOf(body).some(({ url }) => url === good('/plain')));
      assert.ok(pagesOf(body).every(({ url }) => !url.startsWith(evil())));
    },
  },
  getPaper: {
    async run() {
      const { status, body } = await untouched(() =>
        read(guarded, '/v2/search/research/papers/openalex:W1?query=ladders'),
      );
      assert.deepEqual([status, body.passages], [200, []]);
      assert.match(String(body.warning), /blacklist: evil\.test/);
    },
  },
  searchIndex: {
    async run() {
      for (const url of [good('/plain'), evil('/found')]) assert.equal((await free.scrape({ url })).status, 200);
      const search = async (service: RunningService) => {
        const { body } = await service.post<{ data: { hits: { url: string }[] } }>('/v2/index/search', {
          query: 'ladders gardeners',
        });
        return body.data.hits.map(({ url }) => url);
      };
      assert.ok((await search(free)).includes(evil('/found')));
      const found = await untouched(() => search(guarded));
      assert.ok(found.includes(good('/plain')));
      assert.ok(found.every((url) => !url.startsWith(evil())));
    },
  },
  testWebhook: { run: () => refuses('/v2/webhooks/test', { url: evil('/hook') }) },
  searchGithub: { run: () => byQuery('/v2/search/research/github') },
  developerSearch: { run: () => byQuery('/v2/search/developer') },
  developerSearchByPost: { run: () => byPost('/v2/search/developer') },
  developerSearchAlias: { run: () => byQuery('/v2/developer/search') },
  developerSearchAliasByPost: { run: () => byPost('/v2/developer/search') },
  startAgent: {
    async run() {
      const prompt = 'How tall are the ladders?';
      await refuses('/v2/agent', { prompt, urls: [evil()] }, { prompt, urls: [good()], webhook: evil('/hook') });
      await runs('/v2/agent', { prompt, urls: [good('/moved')] });
    },
  },
  extract: {
    async run() {
      const prompt = 'How tall are the ladders?';
      await refuses('/v2/extract', { prompt, urls: [evil()] }, { prompt, urls: [`${evil()}*`] });
      const { status, error } = await runs('/v2/extract', { prompt, urls: [good('/moved')] });
      assert.equal(status, 'failed');
      assert.match(String(error), /evil\.test/);
    },
  },
  createMonitor: {
    run: () => refuses('/v2/monitor', monitorOf(evil()), { ...monitorOf(good()), webhook: { url: evil('/hook') } }),
  },
  updateMonitor: {
    async run() {
      const path = await createMonitor(good('/plain'));
      const { targets } = monitorOf(evil());
      const send = () =>
        guarded.fetch(path, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ targets }),
        });
      const response = await untouched(send);
      assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], BLOCKED);
    },
  },
  runMonitor: {
    async run() {
      const path = await createMonitor(good('/moved'));
      await untouched(async () => {
        const { body } = await post(`${path}/run`, {});
        const { id } = body.data as { id: string };
        const check = () =>
          read<{ data: { status: string; pages: { error?: string }[] } }>(guarded, `${path}/checks/${id}`);
        const ended = await until(check, (seen) => !/queued|running/.test(seen.body.data.status));
        assert.match(JSON.stringify(ended.body.data), /blacklist: evil\.test/);
      });
    },
  },
  putCollection: {
    async run() {
      const { status, body } = await untouched(() =>
        put('/v2/collections/evil', { targets: monitorOf(evil()).targets }),
      );
      assert.deepEqual([status, body.code], BLOCKED);
    },
  },
  addCollectionPages: {
    async run() {
      const path = await createCollection('added', good('/plain'));
      await refuses(`${path}/pages`, { urls: [evil()] });
    },
  },
  runCollection: {
    async run() {
      const path = await createCollection('moved', good('/moved'));
      await untouched(async () => {
        assert.equal((await post(`${path}/run`, {})).status, 200);
        const seen = () =>
          read<{ data: { currentRunId: string | null; lastRun: { problems: object[] } | null } }>(guarded, path);
        const { body } = await until(seen, ({ body: { data } }) => data.currentRunId === null && data.lastRun !== null);
        assert.match(JSON.stringify(body.data.lastRun!.problems), /blacklist: evil\.test/);
      });
    },
  },
  createBrowser: { skip: noBrowser, run: async () => assert.equal((await post('/v2/browser', {})).status, 200) },
  createInteract: { skip: noBrowser, run: async () => assert.equal((await post('/v2/interact', {})).status, 200) },
  executeInBrowser: { skip: noCode, isSlow: true, run: () => inSession('/v2/browser') },
  executeInInteract: { skip: noCode, isSlow: true, run: () => inSession('/v2/interact') },
  interact: {
    skip: noCode,
    isSlow: true,
    async run() {
      const { body } = await guarded.scrape<{ data: { metadata: { scrapeId: string } } }>({ url: good('/turned') });
      await refuses(`/v2/scrape/${body.data.metadata.scrapeId}/interact`, { code: '1' });
      // The rules of a call also hold in a session that was open before.
      const scraped = await free.scrape<{ data: { metadata: { scrapeId: string } } }>({ url: good('/plain') });
      const path = `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`;
      const goto = { code: `await page.goto(${JSON.stringify(evil())})`, timeout: 60 };
      const own = { threatProtection: { mode: 'manual-only', blacklist: [EVIL] } };
      assert.equal((await free.post<{ exitCode: number }>(path, { code: '1', timeout: 60 })).body.exitCode, 0);
      const { body: kept } = await untouched(() => free.post<{ exitCode: number }>(path, { ...goto, ...own }));
      assert.notEqual(kept.exitCode, 0);
      assert.equal((await free.post<{ exitCode: number }>(path, goto)).body.exitCode, 0);
      const fetched = {
        ...goto,
        code: `await page.evaluate((to) => fetch(to, { mode: 'no-cors' }).then(() => 'read', () => 'failed'), ${JSON.stringify(evil('/data'))})`,
      };
      const { body: unread } = await untouched(() => free.post<{ result: string }>(path, { ...fetched, ...own }));
      assert.equal(unread.result, 'failed');
      assert.equal((await free.post<{ result: string }>(path, fetched)).body.result, 'read');
    },
  },
};

test('every call whose URLs are judged is in the table', () => {
  const judged = Object.entries(ROUTE_POLICY).flatMap(([id, { checks }]) => (checks ? [id] : []));
  assert.deepEqual(Object.keys(CALLS).toSorted(), judged.toSorted());
});

describe('a forbidden host gets no request from', () => {
  for (const [id, { skip, run, isSlow }] of Object.entries(CALLS)) {
    const add = isSlow ? fullTest : test;
    add(id, { skip: skip ?? false }, run);
  }
});

test('a page in the cache is judged as well, with what it redirects to', async () => {
  for (const url of [evil('/cached'), good('/moved')]) {
    assert.equal((await free.scrape({ url })).status, 200);
    const answer = await untouched(() => guarded.scrape({ url }));
    assert.deepEqual(answerOf(answer), BLOCKED);
  }
});

test('blocks are in the audit log, with the host and nothing else of the URL', async () => {
  await refuses('/v2/scrape', { url: evil('/secret-path?token=1') });
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  const rows = await until(
    async () => database.prepare("SELECT * FROM audit WHERE action = 'threat.blocked'").all() as { target: string }[],
    (seen) => seen.length > 0,
  );
  database.close();
  assert.deepEqual([...new Set(rows.map(({ target }) => target))].toSorted(), [EVIL, 'github.com']);
  assert.doesNotMatch(JSON.stringify(rows), /secret-path|token=1/);
});
