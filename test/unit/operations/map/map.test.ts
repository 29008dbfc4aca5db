// What a map lists from sitemaps, known pages and links, in which order, and how many pages it reads.
import assert from 'node:assert/strict';
import { runtimeProblem } from '../../../../src/encoders/model-runtime/model-runtime.ts';
import { createQueryMeanings } from '../../../../src/operations/search/meaning/query-meanings.ts';
import { isUuid } from '../../../../src/util/ids.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { shareEncoders } from '../../../support/threads.ts';
import { type Handler, page, reply, type Site, send } from '../../../support/web/reply.ts';
import { sitemapPaths, urlset } from '../../../support/web/sitemaps.ts';
import { useMap } from './map-scene.ts';

const NEEDS_MODEL = { skip: runtimeProblem() ?? false };
const ITEMS = Array.from({ length: 1_000 }, (_, index) => `shop.test/item/${index + 1}`);
const XML = { type: 'application/xml' };
const links = (...addresses: string[]) => addresses.map((address) => `<a href="${address}">x</a>`).join(' ');
const linking = (title: string, ...addresses: string[]): Handler => reply(page(title, links(...addresses)));

/** Without digits, so that the URLs share no numeric pattern. */
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => index.toString().replace(/\d/g, (digit) => 'abcdefghij'[+digit]!));

const familySite: Site = {
  '/': (exchange) =>
    send(
      exchange,
      page(
        'Family',
        links('/about', `${exchange.origin('blog.family.test')}/post`, `${exchange.origin('else.test')}/x`),
      ),
    ),
  '/about': linking('About us'),
};

const sections: Site = {
  '/': linking('Home', '/docs/', '/blog/first'),
  '/docs/': linking('Docs', '/docs/install', '/blog/second', '/docs/files/manual.pdf', '/docs/files/logo.png'),
  '/docs/install': linking('Install', '/docs/', '/docs/use?step=1'),
  '/docs/use': linking('Use'),
  '/blog/*': linking('Post'),
};

/** Each month links to the next one, and all of them are empty. */
const calendarSite: Site = {
  '/': linking('Home', '/calendar/0', '/real'),
  '/real': linking('Real'),
  '/calendar/*': (exchange) => {
    const month = Number(exchange.tail) + 1;
    send(exchange, page('Calendar', `<p>No events in this month.</p>${links(`/calendar/${month}`)}`));
  },
};

/** A list with filters that all show the same items. */
const facetSite: Site = {
  '/': linking('Home', '/list'),
  '/list': (exchange) => {
    const number = Number(exchange.query.get('page') ?? 1);
    const items = [1, 2, 3].map((position) => `/thing/${(number - 1) * 3 + position}`);
    const filters = Array.from({ length: 50 }, (_, index) => `/list?color=${index}`);
    const next = number < 20 ? `<a rel="next" href="/list?page=${number + 1}">Next</a>` : '';
    send(exchange, page(`List ${number}`, links(...filters, ...items) + next));
  },
  '/thing/*': linking('A thing', '/list'),
};

let atOnce = 0;
let mostAtOnce = 0;
const counted: Handler = async (exchange) => {
  atOnce += 1;
  mostAtOnce = Math.max(mostAtOnce, atOnce);
  await new Promise((resolve) => setTimeout(resolve, 5));
  atOnce -= 1;
  send(exchange, page('Slowly'));
};

const extra: Record<string, Site> = {
  'meanings.test': {
    '/': linking('Home', '/garden', '/weather', '/our-team', '/refund-policy', '/opening-hours'),
    '/*': (exchange) => send(exchange, page(exchange.tail.replace('-', ' '))),
  },
  'family.test': familySite,
  'blog.family.test': { '/*': linking('A post', '/older') },
  'else.test': { '/*': linking('Elsewhere', '/deeper') },
  'sections.test': sections,
  'calendar.test': calendarSite,
  'facets.test': facetSite,
  'both.test': {
    '/sitemap.xml': (exchange) =>
      send(exchange, urlset([`${exchange.origin('both.test')}/b`, `${exchange.origin('both.test')}/a#top`]), XML),
    '/': linking('Home', '/c', '/a', '/b?x=1', '/#here'),
    '/*': reply(page('A page', '<p>Text.</p>', '<meta name="description" content="What it is about">')),
  },
  'named.test': {
    '/sitemap.xml': (exchange) => send(exchange, urlset([`${exchange.origin('named.test')}/1`]), { type: 'text/xml' }),
    '/llms.txt': reply('# Us\n\n## Docs\n- [One](/1): First.\n- [Out](http://else.test/x)\n- [Two](/2)\n', {
      type: 'text/plain',
    }),
    '/*': reply('', { status: 404 }),
  },
  'listed.test': {
    '/robots.txt': reply(''),
    '/sitemap.xml': (exchange) =>
      send(exchange, urlset(words(300).map((word) => `${exchange.origin('listed.test')}/${word}`)), XML),
    '/*': linking('Page'),
  },
  'rules.test': {
    '/robots.txt': reply('User-agent: trawl\nDisallow: /secret\nCrawl-delay: 0.02\n', { type: 'text/plain' }),
    '/': linking('Home', '/secret/1', '/open/1', '/open/2', '/open/3'),
    '/*': counted,
  },
  'old-name.test': {
    '/': (exchange) => send(exchange, '', { status: 301, headers: { location: exchange.origin('new-name.test') } }),
  },
  'new-name.test': {
    '/': linking('New', '/found'),
    '/sitemap.xml': (exchange) => send(exchange, urlset([`${exchange.origin('new-name.test')}/listed`]), XML),
    '/*': linking('Page'),
  },
  'moving.test': {
    '/': linking('Home', '/here', '/gone', '/moved'),
    '/here': linking('Here'),
    '/gone': reply(page('Gone'), { status: 410 }),
    '/moved': (exchange) => send(exchange, '', { status: 302, headers: { location: '/new' } }),
    '/new': linking('New place', '/deep'),
    '/deep': linking('Deep'),
  },
};

const scene = useMap(extra);
const { map } = scene;

for (const ignoreQueryParameters of [true, false]) {
  test(`a map finds all items of a catalogue without a sitemap, ${ignoreQueryParameters ? 'without' : 'with'} queries`, async () => {
    const before = scene.web.requests('shop.test', '/item/1');
    const { urls, id, warning } = await map('shop.test', { ignoreQueryParameters, ignoreCache: true });
    assert.ok(isUuid(id));
    assert.equal(warning, '');
    const lists = Array.from({ length: 50 }, (_, index) => `shop.test/products?page=${index + 1}`);
    const expected = ['shop.test/', 'shop.test/products', ...ITEMS, ...(ignoreQueryParameters ? [] : lists)];
    assert.deepEqual(urls.toSorted(), expected.toSorted());
    assert.equal(urls[0], 'shop.test/');
    assert.equal(scene.web.requests('shop.test', '/item/1'), before + 1);
    assert.equal(
      scene.web.requests('shop.test', '/item/999'),
      0,
      'items have no further links, so few should be fetched',
    );
  });
}

fullTest('a second map uses the cache and fetches no page again; ignoreCache fetches again', async () => {
  const pages = () => scene.web.requests('facets.test') - scene.web.requests('facets.test', '/sitemap.xml');
  const first = await map('facets.test', { sitemap: 'skip' });
  const asked = pages();
  const second = await map('facets.test', { sitemap: 'skip' });
  assert.equal(pages(), asked);
  assert.deepEqual(second.urls.toSorted(), first.urls.toSorted());
  await map('facets.test', { sitemap: 'skip', ignoreCache: true });
  assert.ok(pages() > asked);
});

test('known pages without links to them are listed with their titles, unless the cache is ignored', async () => {
  await map('else.test/hidden', { sitemap: 'skip' });
  const known = await map('else.test', { sitemap: 'skip' });
  assert.deepEqual(known.urls, ['else.test/', 'else.test/hidden', 'else.test/deeper']);
  assert.equal(known.links[1]?.title, 'Elsewhere');
  const fresh = await map('else.test', { sitemap: 'skip', ignoreCache: true });
  assert.deepEqual(fresh.urls, ['else.test/', 'else.test/deeper']);
});

test('the start page comes first, then sitemap URLs, then links; each once, without fragment and query', async () => {
  const { links: found } = await map('both.test', { ignoreCache: true });
  const about = { title: 'A page', description: 'What it is about' };
  const at = (path: string) => scene.web.url('both.test', path);
  assert.deepEqual(found, [
    { url: at('/'), title: 'Home' },
    { url: at('/b'), ...about },
    { url: at('/a'), ...about },
    { url: at('/c'), ...about },
  ]);
  const whole = await map('both.test', { ignoreQueryParameters: false, ignoreCache: true });
  assert.deepEqual(whole.urls, ['both.test/', 'both.test/b', 'both.test/a', 'both.test/c', 'both.test/b?x=1']);
});

test('sitemaps are read from robots.txt and from their usual paths', async () => {
  const listed = ['article', 'product', 'note'].flatMap((name) => sitemapPaths(name, 3));
  const index = await map('sitemap-index.test');
  assert.deepEqual(
    index.urls,
    ['/', ...listed].map((path) => `sitemap-index.test${path}`),
  );
  const plain = await map('sitemap-plain.test');
  assert.deepEqual(
    plain.urls,
    ['/', ...sitemapPaths('page', 4)].map((path) => `sitemap-plain.test${path}`),
  );
});

test('the llms.txt of a site names pages of its sitemap and adds others, as far as they are of the site', async () => {
  const { links } = await map('named.test', { sitemap: 'only' });
  const about = links.slice(1).map(({ url, ...texts }) => [new URL(url).pathname, texts]);
  assert.deepEqual(about, [
    ['/1', { title: 'One', description: 'First.' }],
    ['/2', { title: 'Two' }],
  ]);
  const before = scene.web.requests('named.test', '/llms.txt');
  await map('named.test', { sitemap: 'skip' });
  assert.deepEqual([before, scene.web.requests('named.test', '/llms.txt')], [1, 1]);
});

test('sitemap: only reads no pages; sitemap: skip reads no sitemap', async () => {
  const only = await map('feed.test', { sitemap: 'only' });
  assert.deepEqual([only.links.length, scene.web.requests('feed.test', '/')], [6, 0]);
  assert.equal(only.links[1]?.title, 'Story 1 & more', 'feeds have titles');
  const before = scene.web.requests('feed.test', '/rss.xml');
  const skipped = await map('feed.test', { sitemap: 'skip' });
  assert.deepEqual([skipped.urls, scene.web.requests('feed.test', '/rss.xml')], [['feed.test/'], before]);
  const none = await map('shop.test', { sitemap: 'only' });
  assert.deepEqual(none.urls, ['shop.test/']);
  assert.match(none.warning, /No sitemap/);
});

fullTest('a huge sitemap fills the list up to its limit, and a truncated one causes a warning', async () => {
  const few = await map('sitemap-huge.test', { limit: 10 });
  assert.deepEqual([few.links.length, few.warning], [10, '']);
  const many = await map('sitemap-huge.test', { limit: 100_000, sitemap: 'only' });
  assert.equal(many.links.length, 50_001);
  assert.match(many.warning, /sitemap-huge\.test\/sitemap\.xml: .*more than 50000 addresses/);
});

test('a site with a sitemap is sampled, not read completely', async () => {
  const { urls } = await map('listed.test');
  assert.equal(urls.length, 301);
  const pages = scene.web.requests('listed.test') - 2;
  assert.ok(pages > 10 && pages < 40, `${pages} pages`);
});

test('subdomains belong to the site unless excluded; other sites are listed on request, and never fetched', async () => {
  const home = ['family.test/', 'family.test/about'];
  const all = await map('family.test');
  assert.deepEqual(all.urls.toSorted(), ['blog.family.test/older', 'blog.family.test/post', ...home]);
  const alone = await map('family.test', { includeSubdomains: false });
  assert.deepEqual(alone.urls, home);
  const before = scene.web.requests('else.test');
  const outside = await map('family.test', { includeSubdomains: false, allowExternalLinks: true });
  assert.deepEqual(outside.urls.toSorted(), ['blog.family.test/post', 'else.test/x', ...home]);
  assert.equal(scene.web.requests('else.test'), before);
});

test('a map that starts below the root stays below its start, unless told otherwise', async () => {
  const below = await map('sections.test/docs/', { ignoreCache: true });
  assert.deepEqual(below.urls, ['sections.test/docs/', 'sections.test/docs/install', 'sections.test/docs/use']);
  for (const option of [{ crawlEntireDomain: true }, { filterByPath: false }]) {
    const { urls } = await map('sections.test/docs/', { ...option, ignoreCache: true });
    assert.ok(urls.includes('sections.test/blog/second'), JSON.stringify(option));
  }
  const deepest = await map('sections.test/blog/first', { ignoreCache: true });
  assert.deepEqual(deepest.urls, ['sections.test/blog/first']);
  assert.match(
    deepest.warning,
    /^Only 1 result\(s\) found\. For broader coverage, try mapping the base domain: sections\.test(:\d+)?$/,
  );
});

test('path rules decide what is listed and fetched', async () => {
  const { urls } = await map('sections.test', { excludePaths: ['^/blog'], includePaths: ['docs'], ignoreCache: true });
  assert.deepEqual(urls.slice(0, 3), ['sections.test/', 'sections.test/docs/', 'sections.test/docs/install']);
  assert.ok(!urls.some((url) => url.includes('blog')));
});

test(
  'a link that means what is searched for comes before those that share no word with it either',
  NEEDS_MODEL,
  async () => {
    const meanings = createQueryMeanings(shareEncoders().sentences, 'on');
    const options = { search: 'get my money back', sitemap: 'skip' };
    assert.equal((await map('meanings.test', options)).urls.indexOf('meanings.test/refund-policy'), 4);
    const { urls } = await map('meanings.test', options, { deps: { meanings } });
    assert.equal(urls[0], 'meanings.test/refund-policy');
  },
);

test('URLs that match the search come first, even from beyond the limit', async () => {
  const { urls } = await map('shop.test', { search: 'item 777', limit: 3 });
  assert.equal(urls.length, 3);
  assert.equal(urls[0], 'shop.test/item/777');
});

test('an endless calendar is abandoned when its pages repeat', async () => {
  const { urls } = await map('calendar.test');
  assert.ok(urls.includes('calendar.test/real'));
  assert.ok(scene.web.requests('calendar.test') < 60, `${scene.web.requests('calendar.test')} requests`);
});

fullTest('a paginated list is read to its end although its filters show the same items', async () => {
  const { urls } = await map('facets.test', { ignoreCache: true });
  const things = Array.from({ length: 60 }, (_, index) => `facets.test/thing/${index + 1}`);
  assert.deepEqual(
    things.filter((thing) => !urls.includes(thing)),
    [],
  );
});

test('what robots.txt forbids is listed but not fetched, and its crawl delay means one page at a time', async () => {
  mostAtOnce = 0;
  const { urls } = await map('rules.test', { sitemap: 'skip' });
  const paths = ['/', '/secret/1', '/open/1', '/open/2', '/open/3'];
  assert.deepEqual(
    urls,
    paths.map((path) => `rules.test${path}`),
  );
  assert.equal(scene.web.requests('rules.test', '/secret/1'), 0);
  assert.equal(scene.web.requests('rules.test', '/open/3'), 1);
  assert.equal(mostAtOnce, 1);
});

test('a start page that redirects to another site is mapped there', async () => {
  const { urls } = await map('old-name.test');
  assert.deepEqual(urls, ['old-name.test/', 'new-name.test/', 'new-name.test/listed', 'new-name.test/found']);
});

test('URLs that turn out to be gone are left out, and the targets of moved pages are listed', async () => {
  const { urls } = await map('moving.test');
  const paths = ['/', '/here', '/moved', '/new', '/deep'];
  assert.deepEqual(
    urls,
    paths.map((path) => `moving.test${path}`),
  );
  assert.equal(scene.web.requests('moving.test', '/new'), 1);
});
