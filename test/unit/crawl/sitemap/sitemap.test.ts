import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createRobots } from '../../../../src/crawl/robots/robots.ts';
import { readSitemaps, type SitemapRequest } from '../../../../src/crawl/sitemap/sitemap.ts';
import type { SitemapEntry } from '../../../../src/crawl/sitemap/sitemap-reader.ts';
import { type Handler, reply, type Site, send } from '../../../support/web/reply.ts';
import { sitemapIndex, sitemapPaths, urlset } from '../../../support/web/sitemaps.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openEgress, soon } from '../../net/local.ts';

const XML = { type: 'text/xml' };
const xml = (...paths: string[]) => reply(urlset(paths), XML);

let held = 0;
const untilClosed: Handler = async ({ signal }) => {
  held += 1;
  if (!signal.aborted) await once(signal, 'abort');
  held -= 1;
};
const startThenSilence: Handler = async (exchange) => {
  exchange.response.writeHead(200, { 'content-type': 'text/xml' });
  exchange.response.write(urlset(sitemapPaths('early', 100)).replace('</urlset>', ''));
  await untilClosed(exchange);
};
const endless: Handler = async ({ response, signal }) => {
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.write('<urlset>');
  for (let number = 0; !signal.aborted; number += 1) {
    const batch = Array.from({ length: 500 }, (_, index) => `<url><loc>/endless/${number}/${index}</loc></url>`).join(
      '',
    );
    if (!response.write(batch)) await once(response, 'drain', { signal }).catch(() => {});
  }
};
const elsewhere =
  (location: string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 302, headers: { location } });

let waiting = 0;
let mostWaiting = 0;
/** Answers after a moment and counts how many requests are open at once. */
const crowd: Handler = async (exchange) => {
  waiting += 1;
  mostWaiting = Math.max(mostWaiting, waiting);
  await sleep(100);
  waiting -= 1;
  send(exchange, urlset([`/from${exchange.path}`]), XML);
};

const site: Site = {
  '/one.xml': xml('/1a', '/1b'),
  '/two.xml': xml('/2a', '/2b'),
  '/silent.xml': startThenSilence,
  '/dead.xml': untilClosed,
  '/endless.xml': endless,
  '/missing.xml': reply('gone', { status: 404 }),
  '/page.xml': reply('<!doctype html><html><body>Soft 404</body></html>'),
  '/broken.xml': reply('<urlset><url><loc>/good</loc></url><url><loc>/bad</url>', XML),
  '/empty.xml': reply('', XML),
  '/moved.xml': elsewhere('/one.xml'),
  '/private.xml': elsewhere('http://10.0.0.1/sitemap.xml'),
  '/zipped-twice.xml': reply(() => gzipSync(gzipSync(urlset(['/zipped']))), {
    headers: { 'content-encoding': 'gzip' },
  }),
  '/cut.xml.gz': reply(() => gzipSync(urlset(sitemapPaths('cut', 2_000))).subarray(0, -30)),
  '/brotli.xml': reply(() => brotliCompressSync(urlset(['/brotli'])), { headers: { 'content-encoding': 'br' } }),
  '/latin.xml': reply(
    () =>
      Buffer.from(
        '<?xml version="1.0" encoding="latin1"?><urlset><url><loc>/gr\xf6\xdfe</loc></url></urlset>',
        'latin1',
      ),
    XML,
  ),
  '/utf-16.xml': reply(() => Buffer.from(`\ufeff${urlset(['/größe'])}`, 'utf16le'), XML),
  '/mixed.xml': reply(sitemapIndex(['/missing.xml', 'one.xml', '/dead.xml', '/one.xml#again', 'two.xml']), XML),
  '/deep/*': (exchange) =>
    send(exchange, sitemapIndex([`/deep/${Number(exchange.tail) + 1}`, `/leaf/${exchange.tail}`])),
  '/leaf/*': (exchange) => send(exchange, urlset([exchange.path])),
  '/wide.xml': reply(sitemapIndex(Array.from({ length: 12 }, (_, index) => `/crowd/${index}`))),
  '/crowd/*': crowd,
  '/foreign.xml': (exchange) => send(exchange, sitemapIndex([`${exchange.origin('other-maps.test')}/map.xml`])),
};

const extra: Record<string, Site> = {
  'maps.test': site,
  'other-maps.test': { '/map.xml': xml('http://anywhere.example/x') },
  'wordpress.test': { '/sitemap.xml': elsewhere('/wp-sitemap.xml'), '/wp-sitemap.xml': xml('/post') },
  'text-only.test': { '/sitemap.txt': reply('http://text-only.test/a\n', { type: 'text/plain' }) },
  'llms.test': {
    '/llms.txt': reply(
      '# Us\n> We [are](/not-listed).\n## Docs\n- [A](/a): Of a.\n- [B](http://else.test/b)\n- [C](ftp://c)\n',
    ),
    '/*': reply('', { status: 404 }),
  },
  'both.test': {
    '/sitemap.xml': xml('/1'),
    '/llms.txt': reply('\ufeff# Us\n\n- [One](/1): First.\n'),
    '/*': reply('', { status: 404 }),
  },
  'text-404.test': { '/llms.txt': reply('Not found: [home](/)\n# Us\n- [home](/)'), '/*': reply('', { status: 404 }) },
  'long-list.test': {
    '/llms.txt': reply(() => `# Us\n${'- [x](/x)\n'.repeat(50_001)}`),
    '/*': reply('', { status: 404 }),
  },
  'html-only.test': { '/*': reply('<html><body>Everything is a page</body></html>') },
};

let web: Web;
before(async () => {
  web = await startWeb(extra);
});
after(() => web.stop());

interface Options extends Partial<SitemapRequest> {
  signal?: AbortSignal;
  verifyTls?: boolean;
  isSecure?: boolean;
}

async function readEntries(
  t: TestContext,
  host: string,
  { signal = soon(), verifyTls = false, isSecure = false, ...request }: Options = {},
) {
  const deps = {
    egress: openEgress(t, { dnsServers: [web.dns.address], maxPageBytes: 50_000_000 }),
    headers: {},
    verifyTls,
  };
  const problems: string[] = [];
  const origin = isSecure ? web.secureUrl(host, '') : web.url(host, '');
  const report = (problem: string) => problems.push(problem.replace(origin, ''));
  const whole = { site: new URL(origin), declared: [], maxEntries: 1_000_000, onProblem: report, ...request };
  const entries: SitemapEntry[] = [];
  for await (const entry of readSitemaps(deps, whole, signal))
    entries.push({ ...entry, url: entry.url.replace(origin, '') });
  return { entries, problems };
}

async function read(t: TestContext, host: string, options: Options = {}) {
  const { entries, problems } = await readEntries(t, host, options);
  return { urls: entries.map(({ url }) => url), problems };
}

const readMaps = (t: TestContext, declared: string[], options: Options = {}) =>
  read(t, 'maps.test', { ...options, declared });

test('sitemaps declared in robots.txt are read: an index and its files in order, zipped or plain', async (t) => {
  const egress = openEgress(t, { dnsServers: [web.dns.address] });
  const robots = createRobots({ egress, clock: Date, headers: async () => ({}) });
  const { sitemaps } = await robots.of(new URL(web.url('sitemap-index.test')), { verifyTls: true }, soon());
  const { urls, problems } = await read(t, 'sitemap-index.test', { declared: sitemaps });
  assert.deepEqual(
    urls,
    ['article', 'product', 'note'].flatMap((name) => sitemapPaths(name, 3)),
  );
  assert.deepEqual(problems, []);
});

test('without a declaration the usual paths are tried until one yields URLs', async (t) => {
  assert.deepEqual((await read(t, 'sitemap-plain.test')).urls, sitemapPaths('page', 4));
  assert.equal(web.requests('sitemap-plain.test'), 2, 'the first path was enough, and llms.txt is another list');
  assert.deepEqual(await read(t, 'wordpress.test'), { urls: ['/post'], problems: [] });
  assert.deepEqual(await read(t, 'text-only.test'), { urls: ['http://text-only.test/a'], problems: [] });
  assert.deepEqual(await read(t, 'html-only.test'), { urls: [], problems: [] }, 'a failed guess is not reported');
});

test('llms.txt is read after the sitemaps, once, and no other file is taken for it', async (t) => {
  const entries = async (host: string, request: Options = {}) => (await readEntries(t, host, request)).entries;
  assert.deepEqual(await entries('llms.test'), [
    { url: '/a', title: 'A', description: 'Of a.' },
    { url: 'http://else.test/b', title: 'B' },
  ]);
  assert.equal(web.requests('llms.test', '/llms.txt'), 1);
  const named = { url: '/1', title: 'One', description: 'First.' };
  const [listed, ...rest] = await entries('both.test');
  assert.deepEqual([listed!.url, typeof listed!.lastModified, rest], ['/1', 'number', [named]]);
  assert.deepEqual(await entries('both.test', { declared: ['/llms.txt'] }), [named], 'declared as a sitemap');
  assert.deepEqual(await read(t, 'text-404.test'), { urls: [], problems: [] });
  const long = await read(t, 'long-list.test');
  assert.equal(long.urls.length, 50_000);
  assert.match(long.problems[0]!, /llms\.txt: The file lists more than 50000 addresses/);
});

test('the usual paths are tried only if the declared sitemaps yield nothing', async (t) => {
  const { urls, problems } = await read(t, 'sitemap-plain.test', { declared: ['/missing.xml'] });
  assert.deepEqual(urls, sitemapPaths('page', 4));
  assert.deepEqual(problems, ['/missing.xml: The site answered with status 404.']);
  const before = web.requests('maps.test', '/sitemap.xml');
  await readMaps(t, ['/one.xml']);
  assert.equal(web.requests('maps.test', '/sitemap.xml'), before);
});

test('feeds are read like sitemaps', async (t) => {
  const declared = [web.url('feed.test', '/rss.xml'), '/atom.xml'];
  const { urls } = await read(t, 'feed.test', { declared });
  assert.deepEqual(urls, [...sitemapPaths('story', 3), ...sitemapPaths('note', 2)]);
});

test('a dead, missing, broken or invalid file is reported, and the others are read', async (t) => {
  const declared = [
    '/mixed.xml',
    '/page.xml',
    '/broken.xml',
    '/empty.xml',
    '/private.xml',
    'ftp://x/',
    'http://[',
    '/two.xml',
  ];
  const { urls, problems } = await readMaps(t, declared, { limits: { idleMs: 1_500 } });
  assert.deepEqual(urls, ['/good', '/2a', '/2b', '/1a', '/1b']);
  assert.deepEqual(
    problems.map((problem) => problem.split(':')[0]),
    ['/page.xml', '/broken.xml', '/private.xml', '/missing.xml', '/dead.xml'],
  );
  assert.equal(problems.at(-1), '/dead.xml: The site did not send the file in time.');
});

test('no file is read twice, neither through an index that lists itself nor through a redirect', async (t) => {
  const { urls, problems } = await read(t, 'sitemap-loop.test', { declared: ['/sitemap.xml'] });
  assert.deepEqual([urls, problems], [sitemapPaths('page', 2), []]);
  assert.deepEqual((await readMaps(t, ['/moved.xml', '/one.xml', '/moved.xml'])).urls, ['/1a', '/1b']);
});

test('sitemap indexes are followed three levels deep', async (t) => {
  const { urls, problems } = await readMaps(t, ['/deep/0']);
  assert.deepEqual(urls, ['/leaf/0', '/leaf/1', '/leaf/2']);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? '', /^\/deep\/3: The sitemap index is nested more than 3 levels deep/);
});

test('at most `files` files are fetched', async (t) => {
  const { urls, problems } = await readMaps(t, ['/wide.xml'], { limits: { files: 4 } });
  assert.deepEqual(urls, ['/from/crowd/0', '/from/crowd/1', '/from/crowd/2']);
  assert.deepEqual(problems, ['/wide.xml: The site has more than 4 sitemaps; the rest was left out.']);
});

test('up to four files are read at once, and their entries keep the order', async (t) => {
  mostWaiting = 0;
  const { urls } = await readMaps(t, ['/wide.xml']);
  assert.deepEqual(
    urls,
    Array.from({ length: 12 }, (_, index) => `/from/crowd/${index}`),
  );
  assert.ok(mostWaiting > 1 && mostWaiting <= 4, `${mostWaiting} at once`);
});

test('a huge file yields at most 50,000 URLs', async (t) => {
  const { urls, problems } = await read(t, 'sitemap-huge.test');
  assert.equal(urls.length, 50_000);
  assert.equal(urls.at(-1), '/page/50000');
  assert.match(problems[0] ?? '', /more than 50000 addresses/);
});

test('a decompression bomb is stopped while it decompresses', async (t) => {
  const { urls, problems } = await read(t, 'sitemap-bomb.test', { declared: ['/sitemap.xml.gz'] });
  assert.deepEqual(urls, ['http://sitemap-bomb.test/first']);
  assert.match(problems[0] ?? '', /decompresses to far more than was sent/);
  const large = await readMaps(t, ['/one.xml'], { limits: { fileBytes: 100 } });
  assert.match(large.problems[0] ?? '', /larger than/);
});

test('every kind of compression, truncated gzip and declared encodings are supported', async (t) => {
  const { urls } = await readMaps(t, ['/zipped-twice.xml', '/brotli.xml', '/latin.xml', '/utf-16.xml', '/cut.xml.gz']);
  assert.deepEqual(urls.slice(0, 4), ['/zipped', '/brotli', '/gr%C3%B6%C3%9Fe', '/gr%C3%B6%C3%9Fe']);
  assert.ok(urls.length > 1_000, 'entries before the cut are read');
});

test('a file that stalls yields what arrived before the idle limit or the limit for the whole file', async (t) => {
  const idle = await readMaps(t, ['/silent.xml', '/one.xml'], { limits: { idleMs: 1_500 } });
  assert.deepEqual(idle.urls, [...sitemapPaths('early', 100), '/1a', '/1b']);
  assert.equal(idle.problems[0], '/silent.xml: The site did not send the file in time.');
  const whole = await readMaps(t, ['/silent.xml'], { limits: { idleMs: 60_000, fileMs: 1_500 } });
  assert.equal(whole.urls.length, 100);
});

test('reading stops after `maxEntries` entries and closes all connections', async (t) => {
  const { urls } = await readMaps(t, ['/endless.xml', '/dead.xml', '/silent.xml'], { maxEntries: 3 });
  assert.deepEqual(urls, ['/endless/0/0', '/endless/0/1', '/endless/0/2']);
  for (const limit = soon(); held > 0; await sleep(5)) limit.throwIfAborted();
});

test('`mayFetch` decides which files are fetched, redirects included, but not which entries are returned', async (t) => {
  assert.deepEqual((await readMaps(t, ['/foreign.xml'])).urls, ['http://anywhere.example/x']);
  const before = web.requests('maps.test', '/one.xml') + web.requests('other-maps.test');
  const admit = (url: URL) => url.hostname === 'maps.test' && url.pathname !== '/one.xml';
  const { urls, problems } = await readMaps(t, ['/foreign.xml', '/moved.xml', '/two.xml'], { mayFetch: admit });
  assert.deepEqual(urls, ['/2a', '/2b']);
  assert.equal(problems.length, 2);
  assert.equal(web.requests('maps.test', '/one.xml') + web.requests('other-maps.test'), before);
});

test('an abort rejects with its reason at any stage', async (t) => {
  for (const declared of [['/dead.xml'], ['/silent.xml'], ['/one.xml', '/dead.xml'], []]) {
    const leaving = new AbortController();
    const reading = readMaps(t, declared, { signal: leaving.signal });
    setTimeout(() => leaving.abort(new Error('enough')), declared.length === 0 ? 0 : 100);
    await assert.rejects(reading, { message: 'enough' });
  }
});

test('a sitemap of a site with an invalid certificate is read only by those who accept that', async (t) => {
  const declared = [web.secureUrl('wordpress.test', '/wp-sitemap.xml')];
  const ask = (verifyTls: boolean) => read(t, 'wordpress.test', { isSecure: true, verifyTls, declared });
  assert.deepEqual((await ask(false)).urls, ['/post']);
  const { urls, problems } = await ask(true);
  assert.deepEqual(urls, []);
  assert.match(problems.join(), /certificate/);
});
