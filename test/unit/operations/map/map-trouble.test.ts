// Maps of slow, broken, forbidden or missing sites, and callers that ask for too much or leave.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { type Handler, page, reply, reset, type Site, send } from '../../../support/web/reply.ts';
import { urlset } from '../../../support/web/sitemaps.ts';
import { useMap } from './map-scene.ts';

const links = (...addresses: string[]) => addresses.map((address) => `<a href="${address}">x</a>`).join(' ');
const linking = (title: string, ...addresses: string[]): Handler => reply(page(title, links(...addresses)));
const never: Handler = async ({ signal }) => {
  if (!signal.aborted) await once(signal, 'abort');
};

const seen: { host: string; path: string; headers: Record<string, unknown> }[] = [];
const recorded: Handler = (exchange) => {
  seen.push(exchange);
  send(exchange, page('Recorded', links('/inner', `${exchange.origin('other.login.test')}/outer`)));
};

const slowEverywhere: Site = { '/': linking('Home', '/a', '/b'), '/robots.txt': reply(''), '/*': never };

const broken = (sitemap: boolean): Site => ({
  '/': reset,
  ...(sitemap && {
    '/sitemap.xml': (exchange) => send(exchange, urlset([`${exchange.origin(exchange.host)}/listed`])),
    '/listed': linking('Listed'),
  }),
});

const extra: Record<string, Site> = {
  'slow.test': slowEverywhere,
  'broken.test': broken(false),
  'broken-but-listed.test': broken(true),
  'long.test': {
    '/': linking('Home', '/part/1'),
    '/part/*': (exchange) => {
      const number = Number(exchange.tail);
      send(
        exchange,
        page(`${'abcdefghijklmnop'[number % 16]} ${number}`, links(`/part/${number + 1}`, `/x${'y'.repeat(number)}`)),
      );
    },
    '/*': linking('Leaf'),
  },
  'busy.test': {
    '/': linking('Home', '/crowded'),
    '/crowded': (exchange) => {
      // The engine itself retries three times.
      if (exchange.visit <= 3) send(exchange, 'later', { status: 429, headers: { 'retry-after': '0' } });
      else send(exchange, page('At last', links('/behind')));
    },
    '/behind': linking('Behind'),
  },
  'login.test': {
    '/robots.txt': (exchange) => send(exchange, `Sitemap: ${exchange.origin('other.login.test')}/map.xml`),
    '/*': recorded,
  },
  'other.login.test': { '/robots.txt': reply(''), '/*': recorded },
  'missing.test': { '/robots.txt': reply('') },
};

const scene = useMap(extra);
const { map } = scene;
const failsWith =
  (code: string, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };

test('invalid requests are refused before anything starts', async () => {
  await assert.rejects(map('http://10.0.0.1/'), failsWith('UNSUPPORTED_SITE'));
  await assert.rejects(map('http://[::1]:80/'), failsWith('UNSUPPORTED_SITE'));
  await assert.rejects(map('ftp://site.test/'), failsWith('BAD_REQUEST', /http/));
  const before = scene.web.requests('shop.test');
  await assert.rejects(map('shop.test', { includePaths: ['('] }), failsWith('BAD_REQUEST', /\(/));
  assert.equal(scene.web.requests('shop.test'), before);
});

test("an unreadable site is an error with the site's own reason", async () => {
  await assert.rejects(map('http://no-such-host.invalid/'), failsWith('SCRAPE_DNS_RESOLUTION_ERROR'));
  await assert.rejects(
    map('http://no-such-host.invalid/', { sitemap: 'only' }),
    failsWith('SCRAPE_DNS_RESOLUTION_ERROR'),
  );
  await assert.rejects(map('broken.test'), failsWith('SCRAPE_SITE_ERROR', /broke the connection off/));
  await assert.rejects(map('robots-500.test'), failsWith('SCRAPE_SITE_ERROR', /robots\.txt answered with status 500/));
});

fullTest('sitemap URLs are returned with a warning if the start page is broken', async () => {
  const { urls, warning } = await map('broken-but-listed.test');
  assert.deepEqual(urls, ['broken-but-listed.test/', 'broken-but-listed.test/listed']);
  assert.match(warning, /^The start page could not be read: The site broke the connection off\./);
});

test('a start page that robots.txt forbids is listed but not fetched', async () => {
  const { urls, warning } = await map('closed.test');
  assert.deepEqual(urls, ['closed.test/']);
  assert.match(warning, /^robots\.txt forbids reading the start page/);
  assert.equal(scene.web.requests('closed.test', '/'), 0);
});

test('a missing start page is reported in a warning', async () => {
  const { urls, warning } = await map('missing.test/nowhere');
  assert.deepEqual(urls, ['missing.test/nowhere']);
  assert.match(warning, /^The start page answered with status 404\./);
});

test('a map that exceeds the given timeout fails, whatever is slow', async () => {
  await assert.rejects(map('slow.test', { timeout: 300 }), failsWith('MAP_TIMEOUT'));
  await assert.rejects(map('slow.test/hangs', { timeout: 300 }), failsWith('MAP_TIMEOUT'));
  await assert.rejects(map('robots-slow.test', { timeout: 300 }), failsWith('MAP_TIMEOUT'));
});

test('without a given timeout, the map returns what it found after a while', async () => {
  // On a busy machine, a second is too short for the start page.
  for (const seconds of [1, 4, 16]) {
    const { urls, warning } = await map('slow.test', {}, { deps: { limits: { patienceMs: 1_000 * seconds } } });
    assert.match(warning, new RegExp(`stopped after ${seconds} seconds? and may be incomplete`));
    if (urls.length === 1 && seconds < 16) continue;
    assert.deepEqual(urls, ['slow.test/', 'slow.test/a', 'slow.test/b']);
    break;
  }
});

test('the number of fetched pages is limited and the answer says so; a second map continues', async () => {
  const limits = { pages: 10 };
  const first = await map('long.test', { sitemap: 'skip' }, { deps: { limits } });
  assert.match(first.warning, /stopped after 10 pages and may be incomplete/);
  assert.ok(scene.web.requests('long.test') <= 12, `${scene.web.requests('long.test')} requests`);
  const second = await map('long.test', { sitemap: 'skip' }, { deps: { limits } });
  assert.ok(second.links.length > first.links.length);
});

test('a page of a busy site is retried', async () => {
  const { urls } = await map('busy.test');
  assert.ok(urls.includes('busy.test/behind'));
});

test("the map identifies itself, and the caller's headers are sent only to their own site", async () => {
  const { urls } = await map('login.test', { headers: { Authorization: 'Bearer secret' } });
  assert.ok(urls.includes('other.login.test/inner'));
  assert.ok(seen.every(({ headers }) => /(^| )Trawl\/1\.0 \(\+https:/.test(String(headers['user-agent']))));
  const withSecret = seen.filter(({ headers }) => headers.authorization === 'Bearer secret');
  assert.deepEqual([...new Set(withSecret.map(({ host }) => host))], ['login.test']);
  assert.ok(withSecret.some(({ path }) => path === '/sitemap.xml'));
  assert.ok(withSecret.some(({ path }) => path === '/inner'));
  for (const path of ['/outer', '/map.xml']) {
    assert.ok(
      seen.some((exchange) => exchange.host === 'other.login.test' && exchange.path === path),
      path,
    );
  }

  const before = scene.web.requests('login.test', '/inner');
  await map('login.test');
  assert.equal(scene.web.requests('login.test', '/inner'), before + 1, 'a private page was cached');
});

test('a map costs one credit, a failed one nothing', async () => {
  const before = await scene.credits();
  await map('missing.test');
  assert.equal(await scene.credits(), before + 1);
  await assert.rejects(map('broken.test'));
  await assert.rejects(map('slow.test', { timeout: 100 }));
  assert.equal(await scene.credits(), before + 1);
});

test('a caller that disconnects ends the map', async () => {
  const leaving = new AbortController();
  const mapping = map('slow.test', {}, { signal: leaving.signal });
  setTimeout(() => leaving.abort(new Error('gone')), 200);
  await assert.rejects(mapping, { message: 'gone' });
  const { active } = scene.deps.concurrency.load(scene.team.id);
  assert.equal(active, 0);
});

test('an internal error is reported as such', async () => {
  const transformer = {
    ...scene.deps.transformer,
    transform: async () => {
      throw new TypeError('a fault');
    },
  };
  await assert.rejects(map('shop.test', { ignoreCache: true }, { deps: { transformer } }), failsWith('MAP_FAILED'));
});
