// Checks of monitors over HTTP: what they find, what they report, and the links in their mails.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { MonitorView } from '../../src/contracts/monitor/monitor.ts';
import { parseXml } from '../../src/markup/xml/parse-xml.ts';
import { createMailTokens } from '../../src/operations/monitor/mail/mail-tokens.ts';
import { readSecret } from '../../src/store/data-folder/data-secret.ts';
import { until } from '../support/jobs.ts';
import {
  at,
  type Call,
  calls,
  check,
  createMonitor,
  dataDir,
  HOST,
  held,
  scrapeTarget,
  served,
  service,
  smtp,
  startCheck,
  states,
  useMonitoredSite,
  web,
} from '../support/wire/monitor-checks.ts';

useMonitoredSite();

/** Without a key, as mail programs, browsers and feed readers ask. */
const openly = (path: string, init?: RequestInit) => fetch(new URL(path, service.url), init);

describe('pages that are scraped', () => {
  test('are new at first, then the same, changed, removed or an error', async () => {
    for (const path of ['/a', '/b', '/c', '/d']) served.set(path, `<p>The spade costs 20 euros on ${path}.</p>`);
    const monitor = await createMonitor({ targets: [scrapeTarget('/a', '/b', '/c', '/d')] });
    const first = await check(monitor);
    assert.equal(first.status, 'completed', first.error ?? '');
    assert.deepEqual(states(first.pages), { '/a': 'new', '/b': 'new', '/c': 'new', '/d': 'new' });
    assert.deepEqual([first.actualCredits, first.billingStatus], [4, 'confirmed']);

    served.set('/b', '<p>The spade costs 15 euros on /b.</p>');
    served.delete('/c');
    served.set('/d', 500);
    const second = await check(monitor);
    assert.equal(second.status, 'partial');
    assert.deepEqual(states(second.pages), { '/a': 'same', '/b': 'changed', '/c': 'removed', '/d': 'error' });
    assert.deepEqual(second.summary, { totalPages: 4, same: 1, changed: 1, new: 0, removed: 1, error: 1 });
    const byPath = new Map(second.pages.map((found) => [new URL(found.url).pathname, found]));
    const changed = byPath.get('/b')!;
    assert.match(changed.diff!.text!, /^-The spade costs 20 euros on \/b\.$/m);
    assert.match(changed.diff!.text!, /^\+The spade costs 15 euros on \/b\.$/m);
    assert.ok('files' in changed.diff!.json!);
    assert.equal(changed.judgment, null);
    assert.equal(changed.previousScrapeId, first.pages.find(({ url }) => url === changed.url)!.currentScrapeId);
    assert.deepEqual([byPath.get('/a')!.diff, byPath.get('/c')!.statusCode], [null, 404]);
    assert.match(byPath.get('/d')!.error!, /500/);

    served.set('/c', '<p>It is back.</p>');
    served.set('/d', '<p>The spade costs 20 euros on /d.</p>');
    const third = await check(monitor);
    assert.deepEqual(states(third.pages), { '/a': 'same', '/b': 'same', '/c': 'new', '/d': 'same' });
  });

  test('are the same when only a counter has moved, as it has at three checks before', async () => {
    const monitor = await createMonitor({ targets: [scrapeTarget('/a')] });
    const found: (string | undefined)[] = [];
    for (const ships of [10, 25, 31, 48, 60, 77]) {
      served.set('/a', `<p>The harbour is open.</p><p>${ships} ships have passed.</p>`);
      const { pages } = await check(monitor);
      found.push(pages[0]!.status);
      if (ships === 77) assert.deepEqual(pages[0]!.restless, ['77 ships have passed.']);
    }
    assert.deepEqual(found, ['new', 'changed', 'changed', 'changed', 'same', 'same']);
  });

  test('are judged by rules if there is a goal and no model', async () => {
    const shown = (price: number, views: number) => `<p>Price: $${price}</p><p>${views} views</p>`;
    served.set('/a', shown(20, 100));
    served.set('/b', shown(20, 100));
    const monitor = await createMonitor({ goal: 'Tell me about prices', targets: [scrapeTarget('/a', '/b')] });
    await check(monitor);
    served.set('/a', shown(20, 160));
    served.set('/b', shown(18, 160));
    const { pages, targetResults, actualCredits } = await check(monitor);
    assert.deepEqual(states(pages), { '/a': 'changed', '/b': 'changed' });
    const judged = Object.fromEntries(pages.map(({ url, judgment }) => [new URL(url).pathname, judgment!]));
    assert.deepEqual([judged['/a']!.meaningful, judged['/b']!.meaningful], [false, true]);
    assert.deepEqual(
      judged['/b']!.meaningfulChanges.map(({ before, after: now }) => [before, now]),
      [['Price: $20', 'Price: $18']],
    );
    assert.match(judged['/a']!.reason, /without a language model/);
    const [result] = targetResults as { judgeDegraded?: boolean; degradedReason?: string }[];
    assert.equal(result!.judgeDegraded, true);
    assert.match(result!.degradedReason!, /TRAWL_MODEL/);
    assert.equal(actualCredits, 2, 'rules cost nothing');
  });

  test('webhooks report each page and the end of the check', async () => {
    served.set('/a', '<p>One.</p>');
    const webhook = { url: web.url('hooks.test', '/hook/monitor'), metadata: { team: 'garden' } };
    const monitor = await createMonitor({ targets: [scrapeTarget('/a', '/nowhere')], webhook });
    const first = await check(monitor);
    served.set('/a', '<p>Two.</p>');
    const second = await check(monitor);
    const isAll = (list: Call[]) => list.filter(({ type }) => type === 'monitor.check.completed').length === 2;
    const received = await until(() => calls('monitor'), isAll);
    assert.deepEqual(
      received.map(({ type, success, id }) => [type, success, id]),
      [first, second].flatMap(({ id }) => [
        ['monitor.page', received.find((call) => call.id === id)!.success, id],
        ['monitor.page', !received.find((call) => call.id === id)!.success, id],
        ['monitor.check.completed', false, id],
      ]),
    );
    const changed = received.find(({ data }) => data[0]!.status === 'changed')!;
    assert.deepEqual(Object.keys(changed.data[0]!.diff!), ['text'], 'without the tree');
    assert.equal(changed.data[0]!.isMeaningful, null);
    assert.deepEqual(received.at(-1)!.data[0]!.summary, second.summary);
  });
});

describe('a site that is crawled', () => {
  const links = (...paths: string[]) => paths.map((path) => `<p><a href="${path}">Go to ${path}</a></p>`).join('');

  test('reports pages that vanish, but only if it could be read as a whole', async () => {
    served.set('/', links('/one', '/two'));
    served.set('/one', links('/three'));
    served.set('/two', '<p>Two.</p>');
    served.set('/three', '<p>Three.</p>');
    const monitor = await createMonitor({ targets: [{ type: 'crawl', url: at('/') }] });
    const first = await check(monitor);
    assert.deepEqual(states(first.pages), { '/': 'new', '/one': 'new', '/three': 'new', '/two': 'new' });
    const [result] = first.targetResults as { crawlId?: string }[];
    const crawl = await service.fetch(`/v2/crawl/${result!.crawlId}`);
    assert.equal(((await crawl.json()) as { completed: number }).completed, 4, 'it is an ordinary crawl');

    served.set('/one', 500);
    const second = await check(monitor);
    assert.deepEqual(states(second.pages), { '/': 'same', '/one': 'error', '/two': 'same' });

    served.set('/one', '<p>It links to nothing now.</p>');
    const third = await check(monitor);
    assert.deepEqual(states(third.pages), { '/': 'same', '/one': 'changed', '/three': 'removed', '/two': 'same' });
    const gone = third.pages.find(({ status }) => status === 'removed')!;
    assert.equal(gone.previousScrapeId, first.pages.find(({ url }) => url === gone.url)!.currentScrapeId);
    assert.equal(gone.currentScrapeId, null);
    assert.deepEqual(states((await check(monitor)).pages), { '/': 'same', '/one': 'same', '/two': 'same' });
  });
});

test('search results are reported once, if they are what the goal asks for', async () => {
  served.set('/spade', '<p>A quorbital spade for deep soil.</p>');
  served.set('/rake', '<p>A quorbital rake, which nobody asked for.</p>');
  for (const path of ['/spade', '/rake']) await service.scrape({ url: at(path) });
  const target = { type: 'search', queries: ['quorbital', '"quorbital"'], searchWindow: '7d' };
  const monitor = await createMonitor({ goal: 'A quorbital spade', targets: [target] });
  const first = await check(monitor);
  assert.deepEqual(states(first.pages), { '/rake': 'new', '/spade': 'new' });
  assert.deepEqual(first.targetResults, [
    {
      ...(first.targetResults[0] as object),
      type: 'search',
      searchCompleted: true,
      resultCount: 2,
      matches: 2,
      judgeDegraded: true,
      searchCredits: 4,
      judgeCredits: 0,
      resultsJudged: 2,
    },
  ]);
  assert.equal(first.actualCredits, 4);
  const second = await check(monitor);
  assert.deepEqual(
    second.pages.map(({ status, metadata }) => [status, metadata!.searchStatus]),
    [
      ['same', 'already_seen'],
      ['same', 'already_seen'],
    ],
  );
});

test('deleting a monitor ends the pages that its check still reads', async () => {
  served.set('/', '<p><a href="/next">Next</a></p>');
  served.set('/next', '<p>Next.</p>');
  held.set('/', Promise.withResolvers());
  const monitor = await createMonitor({ targets: [{ type: 'crawl', url: at('/') }] });
  const seen = web.requests(HOST, '/');
  await startCheck(monitor);
  await until(
    async () => web.requests(HOST, '/'),
    (count) => count > seen,
  );
  const active = async () =>
    ((await (await service.fetch('/v2/crawl/active')).json()) as { crawls: unknown[] }).crawls.length;
  assert.equal(await active(), 1);
  await service.fetch(`/v2/monitor/${monitor}`, { method: 'DELETE' });
  await until(active, (count) => count === 0);
  held.get('/')!.resolve();
});

describe('links that work without a key', () => {
  const RECIPIENT = 'ann@example.org';
  const email = { enabled: true, recipients: [RECIPIENT] };
  let monitor: string;
  let confirm: string;
  let unsubscribe: string;
  before(async () => {
    monitor = await createMonitor({ targets: [scrapeTarget('/mailed')], notification: { email } });
    const [mail] = await smtp.received(1);
    const text = mail!.source.replace(/=\r\n/g, '').replaceAll('=3D', '=');
    const tokenOf = (action: string) => new RegExp(`/monitor/email/${action}\\?token=([\\w-]+)`).exec(text)![1]!;
    [confirm, unsubscribe] = [tokenOf('confirm'), tokenOf('unsubscribe')];
  });

  const answer = async (action: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await openly(`/v2/monitor/email/${action}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const stateOf = async (): Promise<string> => {
    type Shown = Pick<MonitorView, 'id' | 'emailRecipientSubscriptions'>;
    const read = async <T>(path: string) => ((await (await service.fetch(path)).json()) as { data: T }).data;
    const { emailRecipientSubscriptions: shown } = await read<Shown>(`/v2/monitor/${monitor}`);
    const listed = await read<Shown[]>('/v2/monitor?limit=100');
    assert.deepEqual(listed.find(({ id }) => id === monitor)?.emailRecipientSubscriptions, shown);
    return shown[0]!.status;
  };

  test('the page of a link asks, and only its button changes something', async () => {
    for (const [action, token, earlier, later] of [
      ['confirm', confirm, 'pending', 'confirmed'],
      ['unsubscribe', unsubscribe, 'confirmed', 'unsubscribed'],
    ] as const) {
      const path = `/monitor/email/${action}?token=${token}`;
      const asked = await openly(path);
      assert.deepEqual([asked.status, asked.headers.get('cache-control')], [200, 'no-store']);
      assert.match(asked.headers.get('content-type')!, /^text\/html/);
      assert.match(await asked.text(), /ann@example\.org\?<\/p><form method="post">/);
      assert.equal(await stateOf(), earlier);
      // As a browser sends the form, and a mail program its button (RFC 8058).
      const body = action === 'confirm' ? '' : 'List-Unsubscribe=One-Click';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const done = await openly(path, { method: 'POST', headers, body });
      assert.equal(done.status, 200, await done.text());
      assert.equal(await stateOf(), later);
    }
    const wrong = await openly(`/monitor/email/confirm?token=${unsubscribe}`, { method: 'POST' });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /link is not valid/);
    assert.equal(await stateOf(), 'unsubscribed');
  });

  test('a program answers with the token as JSON', async () => {
    const known = { success: true, email: RECIPIENT, monitorName: 'Shop' };
    assert.deepEqual(await answer('confirm', { token: confirm }), {
      status: 200,
      body: { ...known, result: 'confirmed' },
    });
    assert.equal((await answer('confirm', { token: confirm })).body.result, 'already_confirmed');
    assert.equal((await answer('unsubscribe', { token: unsubscribe })).body.result, 'unsubscribed');
    assert.equal((await answer('unsubscribe', { token: unsubscribe })).body.result, 'already_unsubscribed');
    const refused = async (action: string, body: object) => {
      const { status, body: given } = await answer(action, body);
      return [status, given.success, given.code];
    };
    for (const body of [{}, { token: 'x' }, { token: 7 }, { token: 'A'.repeat(51) }, { token: unsubscribe }])
      assert.deepEqual(await refused('confirm', body), [400, false, 'invalid_token'], JSON.stringify(body));
    const unknown = createMailTokens(readSecret(dataDir)).recipient('confirm', 4_711, monitor);
    assert.deepEqual(await refused('confirm', { token: unknown }), [404, false, 'not_found']);
  });

  test('the feed is XML, is not sent again to those who have it, and is hidden without its token', async () => {
    served.set('/mailed', '<p>Tulips & roses.</p>');
    await check(monitor);
    const { data } = (await (await service.fetch(`/v2/monitor/${monitor}`)).json()) as { data: { feedUrl: string } };
    const { pathname, search } = new URL(data.feedUrl);
    const response = await openly(pathname + search);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^application\/atom\+xml/);
    const xml = await response.text();
    assert.equal(parseXml(xml).name, 'feed');
    assert.match(xml, /<entry>/);
    const etag = response.headers.get('etag')!;
    const again = await openly(pathname + search, { headers: { 'if-none-match': `"other", ${etag}` } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    served.set('/mailed', '<p>Tulips only.</p>');
    await check(monitor);
    assert.equal((await openly(pathname + search, { headers: { 'if-none-match': etag } })).status, 200);
    for (const wrong of ['', `${search.slice(0, -6)}AAAAAA`, `?token=${confirm}`])
      assert.equal((await openly(pathname + wrong)).status, 404, wrong);
  });
});
