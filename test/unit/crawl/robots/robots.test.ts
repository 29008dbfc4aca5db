import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { createRobots, type RobotsLimits } from '../../../../src/crawl/robots/robots.ts';
import { page, reset, type Site, send } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openEgress, soon } from '../../net/local.ts';

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;
/** As requests do by default: invalid certificates are accepted. */
const ANY = { verifyTls: false };
const VALID = { verifyTls: true };

/** The current answer of moody.test. */
let mood: { status: number; text?: string } = { status: 200 };
const moody: Site = {
  '/robots.txt': (exchange) => send(exchange, mood.text ?? '', { status: mood.status, type: 'text/plain' }),
};

const extra: Record<string, Site> = {
  'moody.test': moody,
  'reset.test': { '/robots.txt': reset },
  'html.test': { '/*': (exchange) => send(exchange, page('Any page: Disallow: /')) },
  'utf-16.test': {
    '/robots.txt': (exchange) => send(exchange, Buffer.from('\ufeffUser-agent: *\nDisallow: /ä', 'utf16le')),
  },
  'mislabelled.test': {
    '/robots.txt': (exchange) =>
      send(exchange, 'User-agent: *\nDisallow: /ä', { type: 'text/plain; charset=iso-8859-1' }),
  },
  'to-private.test': {
    '/robots.txt': (exchange) =>
      send(exchange, '', { status: 301, headers: { location: 'http://10.0.0.1/robots.txt' } }),
  },
  'to-evil.test': {
    '/robots.txt': (exchange) =>
      send(exchange, '', { status: 301, headers: { location: `${exchange.origin('evil.test')}/robots.txt` } }),
  },
  'evil.test': { '/robots.txt': (exchange) => send(exchange, 'User-agent: *\nDisallow: /private') },
  'to-nowhere.test': {
    '/robots.txt': (exchange) => send(exchange, '', { status: 301, headers: { location: 'http://nowhere.example/' } }),
  },
  'far.test': {
    '/*': (exchange) =>
      send(exchange, '', { status: 302, headers: { location: `/${Number(exchange.tail) + 1 || 1}` } }),
  },
};

let web: Web;
before(async () => {
  web = await startWeb(extra);
});
after(() => web.stop());

function open(t: TestContext, limits: Partial<RobotsLimits> = {}) {
  const clock = { time: 1_000_000, now: () => clock.time };
  const egress = openEgress(t, { dnsServers: [web.dns.address] });
  const robots = createRobots({ egress, clock, headers: async () => ({ 'user-agent': 'Trawl/1.0' }), limits });
  const read = (host: string, signal = soon()) => robots.of(new URL(web.url(host, '/some/page')), ANY, signal);
  const allows = async (host: string, path: string) =>
    (await read(host)).rulesFor('Trawl').allows(new URL(web.url(host, path)));
  return { clock, robots, read, allows };
}

test('the robots.txt of an origin is fetched once, with the headers of the crawler, and obeyed', async (t) => {
  const { allows, read } = open(t);
  const before = web.requests('robots-ok.test');
  assert.equal(await allows('robots-ok.test', '/not-for-trawl/x'), false);
  assert.equal(await allows('robots-ok.test', '/private/x'), true);
  assert.equal((await read('robots-ok.test')).rulesFor('*').allows(new URL('http://x.test/private/x')), false);
  assert.equal(web.requests('robots-ok.test') - before, 1);
  assert.equal((await read('delay.test')).rulesFor('Trawl').crawlDelay, 1);
});

test('each scheme and port has its own robots.txt', async (t) => {
  const { robots } = open(t);
  const before = web.requests('robots-ok.test', '/robots.txt');
  for (const url of [web.url('robots-ok.test', '/a'), web.secureUrl('robots-ok.test', '/b')]) {
    assert.equal((await robots.of(new URL(url), ANY, soon())).failure, undefined);
  }
  assert.equal(web.requests('robots-ok.test', '/robots.txt') - before, 2);
});

test('a missing file allows everything, and other client errors count as missing', async (t) => {
  const { allows, read } = open(t);
  assert.equal(await allows('robots-404.test', '/private/x'), true);
  assert.equal((await read('robots-404.test')).failure, undefined);
  for (const status of [400, 401, 403, 410, 304]) {
    mood = { status, text: 'User-agent: *\nDisallow: /' };
    assert.equal(await open(t).allows('moody.test', '/x'), true, String(status));
  }
});

test('a server error or a 429 forbids everything except robots.txt', async (t) => {
  const { allows, read } = open(t);
  assert.equal(await allows('robots-500.test', '/'), false);
  assert.equal(await allows('robots-500.test', '/robots.txt'), true);
  assert.match((await read('robots-500.test')).failure?.message ?? '', /status 500/);
  for (const status of [429, 503, 599]) {
    mood = { status };
    assert.equal(await open(t).allows('moody.test', '/x'), false, String(status));
  }
});

test('a timeout or a broken connection forbids everything', async (t) => {
  const slow = await open(t, { fetchMs: 300 }).read('robots-slow.test');
  assert.equal(slow.rulesFor('Trawl').allows(new URL(web.url('robots-slow.test'))), false);
  assert.match(slow.failure?.message ?? '', /in time/);
  const broken = await open(t).read('reset.test');
  assert.equal(broken.rulesFor('Trawl').allows(new URL(web.url('reset.test'))), false);
  assert.match(broken.failure?.message ?? '', /broke the connection off/);
});

test('an unknown host or a forbidden address allows everything, so that the page reports the error', async (t) => {
  const { robots } = open(t);
  const ask = async (address: string) => {
    const url = new URL(address);
    const { rulesFor, failure } = await robots.of(url, ANY, soon());
    return [rulesFor('Trawl').allows(url), failure?.code];
  };
  assert.deepEqual(await ask('http://no-such-name.example/'), [true, 'SCRAPE_DNS_RESOLUTION_ERROR']);
  assert.deepEqual(await ask('http://10.0.0.1/'), [true, 'UNSUPPORTED_SITE']);
  web.dns.set('no-such-name.example', ['127.0.0.1']);
  assert.equal((await robots.of(new URL(`http://no-such-name.example:${web.port}/`), ANY, soon())).failure, undefined);
});

test('redirects are followed across hosts, and the rules apply to the first host', async (t) => {
  const { allows } = open(t);
  assert.equal(await allows('robots-redirect.test', '/not-for-trawl/x'), false);
  assert.equal(await allows('robots-redirect.test', '/x'), true);
});

test('endless redirects count as a missing file; redirects to forbidden or unknown hosts are a failure', async (t) => {
  const { allows, read } = open(t);
  assert.equal(await allows('robots-loop.test', '/x'), true);
  assert.equal(await allows('far.test', '/x'), true);
  assert.equal(await allows('to-private.test', '/x'), false);
  assert.equal((await read('to-private.test')).failure?.code, 'UNSUPPORTED_SITE');
  assert.equal(await allows('to-nowhere.test', '/x'), false);
});

test('only the first 500 KiB are read', async (t) => {
  const { allows } = open(t);
  assert.equal(await allows('robots-huge.test', '/early/x'), false);
  assert.equal(await allows('robots-huge.test', '/late/x'), true);
});

test('an HTML page instead of the file forbids nothing, and recognisable encodings are decoded', async (t) => {
  const { allows } = open(t);
  assert.equal(await allows('html.test', '/x'), true);
  assert.equal(await allows('utf-16.test', '/%C3%A4'), false);
  assert.equal(await allows('mislabelled.test', '/%C3%A4'), false);
});

test('concurrent callers share one request, and an abort by one does not affect the others', async (t) => {
  const { read } = open(t, { fetchMs: 300 });
  const before = web.requests('robots-slow.test');
  const leaving = new AbortController();
  const left = read('robots-slow.test', leaving.signal);
  const stayed = [read('robots-slow.test'), read('robots-slow.test')];
  leaving.abort(new Error('gone'));
  await assert.rejects(left, { message: 'gone' });
  for (const { failure } of await Promise.all(stayed)) assert.match(failure?.message ?? '', /in time/);
  assert.equal(web.requests('robots-slow.test') - before, 1);
  await assert.rejects(read('robots-slow.test', AbortSignal.abort(new Error('never'))), { message: 'never' });
});

test('an answer is cached for a day, a failure for five minutes', async (t) => {
  const { clock, allows } = open(t);
  mood = { status: 503 };
  assert.equal(await allows('moody.test', '/x'), false);
  mood = { status: 200, text: 'User-agent: *\nDisallow: /y' };
  clock.time += 5 * MINUTE - 1;
  assert.equal(await allows('moody.test', '/x'), false);
  clock.time += 1;
  assert.equal(await allows('moody.test', '/x'), true);
  mood = { status: 404 };
  clock.time += DAY - 1;
  assert.equal(await allows('moody.test', '/y'), false);
  clock.time += 1;
  assert.equal(await allows('moody.test', '/y'), true);
});

test('the last known rules stay in force while the site fails', async (t) => {
  const { clock, allows, read } = open(t);
  mood = { status: 200, text: 'User-agent: *\nDisallow: /y' };
  assert.equal(await allows('moody.test', '/y'), false);
  mood = { status: 500 };
  clock.time += DAY;
  assert.equal(await allows('moody.test', '/x'), true);
  assert.equal(await allows('moody.test', '/y'), false);
  assert.equal((await read('moody.test')).failure, undefined);
  mood = { status: 404 };
  clock.time += 5 * MINUTE;
  assert.equal(await allows('moody.test', '/y'), true);
});

test('a file from a site with an invalid certificate never serves those who ask for valid ones', async (t) => {
  const { robots } = open(t);
  const url = new URL(web.secureUrl('robots-ok.test', '/not-for-trawl/x'));
  const read = async (trust: typeof ANY) => {
    const { rulesFor, sitemaps, failure } = await robots.of(url, trust, soon());
    return { isAllowed: rulesFor('Trawl').allows(url), sitemaps, failure: failure?.code };
  };
  for (const _ of ['first', 'from the cache']) {
    assert.deepEqual(await read(ANY), { isAllowed: false, sitemaps: [], failure: undefined });
    assert.deepEqual(await read(VALID), { isAllowed: false, sitemaps: [], failure: 'SCRAPE_SSL_ERROR' });
  }
  const plain = new URL(web.url('robots-ok.test', '/private/x'));
  const before = web.requests('robots-ok.test', '/robots.txt');
  for (const trust of [ANY, VALID]) assert.equal((await robots.of(plain, trust, soon())).failure, undefined);
  assert.equal(web.requests('robots-ok.test', '/robots.txt') - before, 1, 'both share a verified file');
});

test('a redirect to a host that a caller may not reach is not followed for it, and others still get the file', async (t) => {
  const { robots, read } = open(t);
  const url = new URL(web.url('to-evil.test'));
  const guarded = () => robots.of(url, { ...ANY, mayFetch: ({ hostname }) => hostname !== 'evil.test' }, soon());
  const refused = await guarded();
  assert.match(String(refused.failure?.message), /^robots\.txt redirects to evil\.test, which your rules/);
  assert.equal(refused.rulesFor('Trawl').allows(url), false);
  assert.equal(web.requests('evil.test'), 0);
  // At the same time, whoever was first: one caller's rules say nothing about the site.
  const [mine, theirs] = await Promise.all([guarded(), read('to-evil.test')]);
  assert.deepEqual([mine.failure === undefined, theirs.failure, web.requests('evil.test')], [false, undefined, 1]);
  assert.equal(theirs.rulesFor('Trawl').allows(url), true);
  // What is known already needs no request.
  assert.deepEqual([(await guarded()).failure, web.requests('evil.test')], [undefined, 1]);
});
