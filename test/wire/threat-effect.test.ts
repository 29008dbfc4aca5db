// What a threat policy does to every call that takes or finds URLs: a forbidden host gets no request at all, whatever leads
// to it. A call that the table of route policies lists as judged and that is missing here fails the first test.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DEFAULT_THREAT_POLICY } from '../../src/contracts/threat-protection.ts';
import { ROUTE_POLICY } from '../../src/policy/route-policy.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { BATCH, CRAWL, jobEnd, read, runCrawl, startJob, until } from '../support/jobs.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import { type Catalogues, startCatalogues } from '../support/search/catalogues.ts';
import { type Answer, type RunningService, startServiceWith } from '../support/service.ts';
import { asTeam } from '../support/teams.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const GOOD = 'good.test';
const EVIL = 'evil.test';
const ODD = 'odd.test';
const TEAM = 'guarded';
const BLOCKED = [403, 'unsafe_domain_blocked'];
const TEXT = `<p>${'Gardeners compare ladders of many sizes before they climb a tree. '.repeat(8)}</p>`;

let web: Web;
let catalogues: Catalogues;
let dataDir: string;
/** A team without a policy, and one with it. */
let free: RunningService;
let guarded: RunningService;

const evil = (path = '/') => web.url(EVIL, path);
const good = (path = '/') => web.url(GOOD, path);

const goodSite: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/': (exchange) => {
    const links = ['/plain', '/moved', `${exchange.origin(EVIL)}/article`].map((to) => `<a href="${to}">to ${to}</a>`);
    send(exchange, page('Ladders', `${TEXT}${links.join(' ')}`));
  },
  '/moved': (exchange) => send(exchange, '', { status: 302, headers: { location: `${exchange.origin(EVIL)}/` } }),
  '/refreshed': (exchange) => {
    const refresh = `<meta http-equiv="refresh" content="0; url=${exchange.origin(EVIL)}/">`;
    send(exchange, page('Refreshed', TEXT, refresh));
  },
  '/scripted': (exchange) =>
    send(exchange, page('Scripted', `${TEXT}<script>location.href = '${exchange.origin(EVIL)}/'</script>`)),
  '/framed': (exchange) => send(exchange, page('Framed', `${TEXT}<iframe src="${exchange.origin(EVIL)}/"></iframe>`)),
  '/linked': (exchange) => send(exchange, page('Linked', `${TEXT}<a id="to" href="${exchange.origin(EVIL)}/">go</a>`)),
  /** The first visit gets a page, the others are sent away. */
  '/turned': (exchange) =>
    exchange.visit === 1
      ? send(exchange, page('Turned', TEXT))
      : send(exchange, '', { status: 302, headers: { location: `${exchange.origin(EVIL)}/` } }),
  '/*': (exchange) => send(exchange, page(`Ladders at ${exchange.path}`, TEXT)),
};
/** Everything about the site itself is at the forbidden host. */
const oddSite: Site = {
  '/robots.txt': (exchange) =>
    send(exchange, '', { status: 301, headers: { location: `${exchange.origin(EVIL)}/robots.txt` } }),
  '/sitemap.xml': (exchange) =>
    send(exchange, '', { status: 301, headers: { location: `${exchange.origin(EVIL)}/sitemap.xml` } }),
  '/*': (exchange) => send(exchange, page('Odd', TEXT)),
};
/** Another text: pages that say the same are one result. */
const EVIL_TEXT = `<p>${'Thieves sell broken ladders to gardeners, and steal what they keep in sheds at night. '.repeat(8)}</p>`;
const evilSite: Site = { '/*': (exchange) => send(exchange, page('Broken ladders', EVIL_TEXT)) };

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-threats-'));
  web = await startWeb({ [GOOD]: goodSite, [ODD]: oddSite, [EVIL]: evilSite });
  catalogues = await startCatalogues({
    papers: [
      {
        title: 'Ladders in trees',
        abstract: 'On ladders.',
        authors: [['Ada', 'Fisher']],
        date: '2017-06-12',
        openalex: 'W1',
        doi: '10.1000/ladders',
        pdf: evil('/paper.pdf'),
        in: ['openalex'],
      },
    ],
    repos: [{ full_name: 'acme/ladders', description: 'Ladders', readme: '# Ladders\n\nLadders for trees.' }],
  });
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: 100_000_000 });
  const { id } = await store.teams.ensureTeam(TEAM, Date.now());
  const policy = { ...DEFAULT_THREAT_POLICY, mode: 'manual-only' as const, blacklist: [EVIL, 'github.com'] };
  await store.threatPolicies.save(id, policy, { actor: 'test', at: Date.now() });
  await store.close();
  free = await startServiceWith(web, {
    ...catalogues.settings,
    TRAWL_DATA_DIR: dataDir,
    TRAWL_TEAM_FEATURES: 'threat-protection',
    TRAWL_TEAM_PLAN: 'unlimited',
    TRAWL_BROWSER: 'auto',
    TRAWL_BROWSER_EXECUTE: 'node',
    TRAWL_API_KEY: 'fc-threat-effect-test',
  });
  guarded = await asTeam(free, TEAM);
});
after(async () => {
  await free?.stop();
  await Promise.all([catalogues?.stop(), web?.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

const answerOf = ({ status, body }: Answer) => [status, body.code];
const post = (path: string, body: object) => guarded.post<Record<string, unknown>>(path, body);

/** The forbidden host gets nothing while `work` runs. */
async function untouched<T>(work: () => Promise<T>): Promise<T> {
  const before = web.requests(EVIL);
  const done = await work();
  assert.equal(web.requests(EVIL), before, `requests to ${EVIL}`);
  return done;
}

async function refuses(path: string, ...bodies: object[]): Promise<void> {
  for (const body of bodies) {
    const answer = await untouched(() => post(path, body));
    assert.deepEqual(answerOf(answer), BLOCKED, JSON.stringify([body, answer.body]));
    assert.match(String(answer.body.error), /blacklist: evil\.test/);
  }
}

/** Ends with whatever came of it, without a request to the forbidden host. */
async function runs(path: string, body: object): Promise<Record<string, unknown>> {
  return untouched(async () => {
    const started = await post(path, body);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const status = () => read<Record<string, unknown>>(guarded, `${path}/${started.body.id}`);
    const ended = await until(status, (seen) => seen.body.status !== 'processing');
    return ended.body;
  });
}

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

type Judged = { [Id in keyof typeof ROUTE_POLICY]: Id }[keyof typeof ROUTE_POLICY];
const noBrowser = NEEDS_BROWSER.skip;
const noCode = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;

const CALLS: Partial<Record<Judged, { skip?: string | false | undefined; run(): Promise<void> }>> = {
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
      const all = await free.post<{ data: { web: { url: string }[] } }>('/v2/search', asked);
      assert.ok(all.body.data.web.some(({ url }) => url === evil('/found')));
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
  createBrowser: { skip: noBrowser, run: async () => assert.equal((await post('/v2/browser', {})).status, 200) },
  createInteract: { skip: noBrowser, run: async () => assert.equal((await post('/v2/interact', {})).status, 200) },
  executeInBrowser: { skip: noCode, run: () => inSession('/v2/browser') },
  executeInInteract: { skip: noCode, run: () => inSession('/v2/interact') },
  interact: {
    skip: noCode,
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
    },
  },
};

test('every call whose URLs are judged is in the table', () => {
  const judged = Object.entries(ROUTE_POLICY).flatMap(([id, { judges }]) => (judges ? [id] : []));
  assert.deepEqual(Object.keys(CALLS).toSorted(), judged.toSorted());
});

describe('a forbidden host gets no request from', () => {
  for (const [id, { skip, run }] of Object.entries(CALLS)) test(id, { skip: skip ?? false }, run);
});

test('a page in the cache is judged as well, with what it redirects to', async () => {
  for (const url of [evil('/cached'), good('/moved')]) {
    assert.equal((await free.scrape({ url })).status, 200);
    const answer = await untouched(() => guarded.scrape({ url }));
    assert.deepEqual(answerOf(answer), BLOCKED);
  }
});

test('robots.txt and sitemaps that redirect there are not read', async () => {
  const url = web.url(ODD);
  const { problems } = await untouched(() => runCrawl(guarded, { url }));
  assert.match(JSON.stringify(problems.errors), /robots\.txt redirects to evil\.test/);
  const { documents } = await untouched(() => runCrawl(guarded, { url, ignoreRobotsTxt: true }));
  assert.equal(documents.length, 1);
  for (const sitemap of ['only', 'include'])
    await untouched(() => post('/v2/map', { url, sitemap, ignoreCache: true }));
});

describe('in a browser', { skip: noBrowser }, () => {
  const wait = { type: 'wait', milliseconds: 500 };
  test('scripts, redirects and clicks do not lead to a forbidden host', async () => {
    await refuses(
      '/v2/scrape',
      { url: good('/scripted'), actions: [wait] },
      { url: good('/moved'), actions: [wait] },
      { url: good('/linked'), actions: [{ type: 'click', selector: '#to' }, wait] },
    );
  });

  test('a forbidden frame is left out of its page', async () => {
    const { status } = await untouched(() => guarded.scrape({ url: good('/framed'), actions: [wait] }));
    assert.equal(status, 200);
  });
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
