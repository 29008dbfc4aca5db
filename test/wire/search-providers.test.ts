// Providers beside the own index: asked together, merged into one list, and filtered even if they ignore a filter.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type ProviderStandIn, startProviderStandIn } from '../support/search/provider-stand-ins.ts';
import { fetchPages, hostPaths, search, startSearchWeb } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import type { Web } from '../support/web.ts';

const OWN = [{ at: 'own.test/sextant', title: 'Sextant', text: 'A sextant measures angles at sea.' }];
const MORE = [
  { at: 'own.test/rivets', title: 'Rivets', text: 'Brass rivets corrode slowly in the cold sea.' },
  { at: 'own.test/code', title: 'Code', text: 'rivets();', isShort: true as const },
];
const UNFETCHED = [
  { at: 'own.test/target', title: 'Capstan', text: 'A capstan has a drum.' },
  { at: 'own.test/other-target', title: 'Winch', text: 'A winch has a drum.' },
  { at: 'own.test/moved', title: '', text: '', movedTo: '/target' },
  { at: 'own.test/moved-too', title: '', text: '', movedTo: '/other-target' },
];
const PEERS = [{ at: 'peer.test/astrolabe', title: 'Astrolabe', text: 'An astrolabe is older than a sextant.' }];

let web: Web;
let searxng: ProviderStandIn;
let brave: ProviderStandIn;
let peer: RunningService;
let service: RunningService;

before(async () => {
  [web, searxng, brave] = await Promise.all([
    startSearchWeb([...OWN, ...MORE, ...UNFETCHED, ...PEERS]),
    startProviderStandIn('searxng'),
    startProviderStandIn('brave'),
  ]);
  peer = await startServiceHereWith(web);
  service = await startServiceHereWith(web, {
    TRAWL_SEARXNG_URL: searxng.url,
    TRAWL_BRAVE_URL: brave.url,
    TRAWL_BRAVE_API_KEY: 'first-key,second-key',
    TRAWL_V2_URL: peer.url,
    TRAWL_TEAM_FEATURES: 'threat-protection,zdr,anon',
    TRAWL_V2_API_KEY: peer.key,
  });
  await Promise.all([fetchPages(peer, web, PEERS), fetchPages(service, web, [...OWN, ...MORE])]);
});
after(async () => {
  await Promise.all([service?.stop(), peer?.stop(), searxng?.stop(), brave?.stop()]);
  await web?.stop();
});
beforeEach(() => {
  for (const provider of [searxng, brave]) {
    provider.give();
    provider.asked.length = 0;
  }
});

// Answers are cached, so each test uses queries of its own.
let questions = 0;
const fresh = (words = 'query') => `${words} q${questions++}`;
const ask = (request: object) => search(service, { query: fresh(), explain: true, ...request });
const paths = async (request: object) => hostPaths((await ask(request)).data.web);
const page = (path: string, more: object = {}) => ({ url: `https://far.test/${path}`, ...more });

test('harmless headers are sent to the results that are scraped, and no others', async () => {
  brave.give({ url: web.url('echo.test', '/') });
  const harmless = { 'User-Agent': 'reader/1.0', 'accept-language': 'fr-CH' };
  const scrape = async (headers: Record<string, string>) => {
    const { data, warning } = await ask({ scrapeOptions: { formats: ['rawHtml'], headers } });
    const [result] = data.web as unknown as { rawHtml: string }[];
    return { got: JSON.parse(result!.rawHtml).headers as Record<string, string>, warning };
  };
  const plain = await scrape(harmless);
  assert.deepEqual([plain.got['user-agent'], plain.got['accept-language']], ['reader/1.0', 'fr-CH']);
  assert.equal(plain.warning, undefined);
  const mixed = await scrape({ ...harmless, Cookie: 'session=1', 'X-Key': 'secret' });
  assert.deepEqual(
    [mixed.got['user-agent'], mixed.got.cookie, mixed.got['x-key']],
    ['reader/1.0', undefined, undefined],
  );
  assert.match(mixed.warning!, /headers` other than User-Agent and Accept-Language were not sent/);
});

test('a provider is asked for further results in the places of blocked ones', async () => {
  const bad = ['a', 'b', 'c'].map((name) => ({ url: `https://bad.test/${name}` }));
  brave.givePages([[...bad, page('first')], [page('second')], [page('third')]]);
  const blocking = { query: fresh(), limit: 3, threatProtection: { mode: 'manual-only', blacklist: ['bad.test'] } };
  const { data, explain } = await ask(blocking);
  assert.deepEqual(hostPaths(data.web), ['far.test/first', 'far.test/second', 'far.test/third']);
  assert.equal(explain?.blocked, 3);
});

test('all are asked, pages found by several come first, and each result names its providers', async () => {
  searxng.give(page('a'), page('b'), page('both'));
  brave.give(page('c'), page('d'), page('both?utm_source=brave#top'));
  const { data, explain, warning } = await ask({ query: 'sextant' });
  assert.equal(warning, undefined);
  assert.deepEqual(hostPaths(data.web)[0], 'far.test/both');
  assert.deepEqual(hostPaths(data.web).sort(), [
    'far.test/a',
    'far.test/b',
    'far.test/both',
    'far.test/c',
    'far.test/d',
    'own.test/sextant',
    'peer.test/astrolabe',
  ]);
  const given = Object.fromEntries(data.web!.map((item) => [hostPaths([item])[0], item.explain!.providers]));
  assert.deepEqual(given['far.test/both'], [
    { provider: 'searxng', rank: 3 },
    { provider: 'brave', rank: 3 },
  ]);
  assert.deepEqual(given['own.test/sextant'], [{ provider: 'index', rank: 1 }]);
  assert.deepEqual(given['peer.test/astrolabe'], [{ provider: 'v2', rank: 1 }]);
  assert.deepEqual(
    explain!.providers.map(({ provider, state, results, requests }) => [provider, state, results, requests]),
    [
      ['index', 'answered', 1, 1],
      ['searxng', 'answered', 3, 2],
      ['brave', 'answered', 3, 1],
      ['v2', 'answered', 1, 1],
    ],
  );
});

test('together they return no more than the limit', async () => {
  searxng.give(page('a'), page('b'), page('c'));
  brave.give(page('d'), page('e'), page('f'));
  assert.equal((await paths({ limit: 3 })).length, 3);
});

test('a key is sent only to its provider', async () => {
  await ask({});
  assert.equal(brave.asked[0]!.headers['x-subscription-token'], 'first-key');
  assert.ok(!JSON.stringify(searxng.asked[0]!.headers).includes('key'));
});

describe('a filter that a provider ignores', () => {
  const good = page('docs/good.pdf', {
    title: 'Good harvest title',
    description: 'It says exact words here.',
    date: '2026-03-04T00:00:00Z',
  });
  const bad = {
    url: 'https://other.test/bad',
    title: 'Bad',
    description: 'It says words exact and rubbish.',
    date: '2019-01-01T00:00:00Z',
  };
  const FILTERS: [request: { words?: string; more?: object }, reason: RegExp][] = [
    [{ words: 'site:far.test' }, /^not on site far\.test/],
    [{ words: '-site:other.test' }, /^on site other\.test/],
    [{ words: '"exact words"' }, /not seen to say "exact words"/],
    [{ words: '-rubbish' }, /^says "rubbish"/],
    [{ words: 'filetype:pdf' }, /^not of file type pdf/],
    [{ words: 'inurl:docs' }, /"docs" is not in its URL/],
    [{ words: '-inurl:bad' }, /"bad" is in its URL/],
    [{ words: 'intitle:harvest' }, /"harvest" is not in its title/],
    [{ more: { includeDomains: ['far.test'] } }, /includeDomains/],
    [{ more: { excludeDomains: ['other.test'] } }, /excludeDomains/],
    [{ more: { categories: ['pdf'] } }, /^not of category pdf/],
    [{ more: { tbs: 'cdr:1,cd_min:01/01/2026,cd_max:12/31/2026' } }, /date/],
  ];
  for (const [{ words = '', more }, reason] of FILTERS) {
    test(`is applied all the same: ${words || JSON.stringify(more)}`, async () => {
      searxng.give(bad, good);
      assert.equal((await paths({}))[0], 'other.test/bad');
      const { data, explain } = await ask({ query: fresh(words), ...more });
      assert.deepEqual(hostPaths(data.web), ['far.test/docs/good.pdf']);
      const [dropped] = explain!.dropped;
      assert.deepEqual([dropped!.provider, dropped!.rank, dropped!.url], ['searxng', 1, bad.url]);
      assert.match(dropped!.reason, reason);
    });
  }

  test('makes the service ask the provider for more', async () => {
    searxng.givePages([
      Array.from({ length: 10 }, (_, n) => ({ url: `https://other.test/${n}` })),
      [page('late/1'), page('late/2')],
    ]);
    assert.deepEqual(await paths({ query: fresh('site:far.test'), limit: 2 }), ['far.test/late/1', 'far.test/late/2']);
    assert.deepEqual(
      searxng.asked.map((request) => request.page),
      [1, 2],
    );
  });
});

test('a listed host with `www.` means that host and its bare twin, whatever the provider makes of it', async () => {
  searxng.give(
    { url: 'https://far.test/bare' },
    { url: 'https://www.far.test/www' },
    { url: 'https://shop.far.test/below' },
    { url: 'https://other.test/' },
  );
  const found = async (more: object) => (await paths(more)).sort();
  assert.deepEqual(await found({ includeDomains: ['www.far.test'] }), ['far.test/bare', 'www.far.test/www']);
  assert.match(searxng.asked.at(-1)!.query, / site:far\.test$/);
  assert.deepEqual(await found({ excludeDomains: ['www.far.test'] }), ['other.test/', 'shop.far.test/below']);
  assert.match(searxng.asked.at(-1)!.query, / -site:www\.far\.test$/);
  assert.equal((await found({ includeDomains: ['far.test'] })).length, 3);
});

test('a country alone does not change the language that providers are asked for', async () => {
  const asked = () => [
    searxng.asked.at(-1)!.parameters.get('language'),
    ...['country', 'search_lang'].map((name) => brave.asked.at(-1)!.parameters.get(name)),
  ];
  await ask({ country: 'DE' });
  assert.deepEqual(asked(), [null, 'DE', null]);
  await ask({ country: 'DE', lang: 'de' });
  assert.deepEqual(asked(), ['de-DE', 'DE', 'de']);
});

test('results without a date are dropped under tbs, unless the provider filters by time itself', async () => {
  searxng.give(page('undated'), page('new', { date: new Date(Date.now() - 3_600_000).toISOString() }));
  assert.deepEqual((await paths({ tbs: 'qdr:w' })).sort(), ['far.test/new', 'far.test/undated']);
  assert.deepEqual(await paths({ tbs: 'qdr:w3' }), ['far.test/new']);
});

test('sbd:1 sorts the results of providers by date', async () => {
  const at = (day: string) => ({ date: `${day}T10:00:00Z` });
  searxng.give(page('old', at('2024-05-01')), page('new', at('2026-05-01')));
  brave.give(page('middle', at('2025-05-01')), page('undated'));
  assert.deepEqual(await paths({ tbs: 'sbd:1' }), [
    'far.test/new',
    'far.test/middle',
    'far.test/old',
    'far.test/undated',
  ]);
});

test('answers of providers are cached, but not for requests that must leave no trace', async () => {
  searxng.give(page('a'));
  const query = fresh();
  const requests = async (more: object) => {
    searxng.asked.length = 0;
    await ask({ query, ...more });
    return searxng.asked.length;
  };
  const once = await requests({});
  assert.ok(once > 0);
  assert.equal(await requests({}), 0);
  for (const enterprise of [['zdr'], ['anon']]) assert.equal(await requests({ enterprise }), once);
});

describe('hostile results', () => {
  test('only http and https addresses are results', async () => {
    searxng.give(
      { url: 'javascript:alert(1)' },
      { url: 'data:text/html,x' },
      { url: 'file:///etc/passwd' },
      { url: 'not an address' },
      { url: `https://far.test/${'x'.repeat(20_000)}` },
      page('good'),
    );
    assert.deepEqual(await paths({}), ['far.test/good']);
  });

  test('markup in titles and descriptions becomes text', async () => {
    searxng.give(
      page('a', {
        title: '<b onclick="x()">Bold</b> &amp; <script>alert(1)</script>plain',
        description: 'One <em>two</em>\u0000 &lt;three',
      }),
    );
    const [item] = (await ask({})).data.web!;
    assert.doesNotMatch(`${item!.title} ${item!.description}`, /<(?:b|script|em)|onclick|\u0000/);
    assert.match(item!.title, /^Bold & .*plain$/);
  });

  test('ten thousand results are cut to the limit, and the same page counts once', async () => {
    searxng.give(...Array.from({ length: 10_000 }, (_, n) => page(`p${n % 5000}?utm_campaign=${n}&gclid=${n}`)));
    const found = (await ask({ limit: 100 })).data.web!;
    assert.equal(found.length, 100);
    assert.equal(new Set(found.map(({ url }) => new URL(url).pathname)).size, 100);
  });

  test('private addresses are listed as results, but refused when they are to be scraped', async () => {
    const inside = [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://localhost/',
      'http://[fd00::1]/',
    ];
    searxng.give(...inside.map((url) => ({ url })), { url: web.url('own.test', '/sextant') });
    const scrapeOptions = { formats: ['markdown'] };
    const { data } = await ask({ scrapeOptions });
    for (const item of data.web!.filter(({ url }) => inside.includes(url))) {
      assert.deepEqual([item.metadata!.statusCode, item.markdown], [403, undefined], item.url);
      assert.match(item.metadata!.error!, /does not connect to/);
    }
    assert.equal(data.web!.length, 5);
    assert.match(data.web!.find(({ url }) => url.includes('own.test'))!.markdown!, /measures angles/);

    const { data: valid, explain } = await ask({ scrapeOptions, ignoreInvalidURLs: true });
    assert.deepEqual(hostPaths(valid.web), ['own.test/sextant']);
    assert.equal(explain!.dropped.filter(({ reason }) => reason === 'its URL cannot be scraped').length, 4);
  });
});

describe('highlights of provider results', () => {
  const shown = async (description: string, more: object = {}, url = 'https://far.test/page') => {
    searxng.give({ url, description });
    const { data } = await ask({ query: fresh('brass rivets corrode'), ...more });
    return data.web!.find((item) => item.url === url)!.description;
  };
  const filler = 'Nothing of this is about the question at hand. '.repeat(8);
  const long = `${filler}Rivets of brass corrode in salt water. ${filler}`;

  test('are chosen from what the provider gave, and can be switched off', async () => {
    const passage = await shown(long);
    assert.match(passage, /Rivets of brass corrode in salt water\./);
    assert.ok(passage.length <= 300 && long.includes(passage), passage);
    assert.equal(await shown(long, { highlights: false }), long.trim());
    assert.equal(await shown('Short words about rivets.'), 'Short words about rivets.');
  });

  test('come from the page itself if it has been fetched, unless they say less', async () => {
    const url = web.url('own.test', '/rivets');
    assert.match(await shown('Words of the provider.', {}, url), /Brass rivets corrode slowly in the cold sea\./);
    const better = 'How brass rivets corrode in warm water, and what to do against it in time.';
    assert.equal(await shown(better, {}, web.url('own.test', '/code')), better);
  });
});

describe('a redirect and its target are one result', () => {
  test('when the redirect is known', async () => {
    await service.scrape({ url: web.url('own.test', '/moved') });
    brave.give({ url: web.url('own.test', '/moved') }, { url: web.url('own.test', '/target') });
    searxng.give({ url: web.url('own.test', '/moved') });
    assert.deepEqual(await paths({ query: fresh('capstan') }), ['own.test/target']);
  });

  test('when scraping shows it', async () => {
    brave.give({ url: web.url('own.test', '/moved-too') }, { url: web.url('own.test', '/other-target') });
    const { data } = await ask({ query: fresh('winch'), scrapeOptions: { formats: ['markdown'] } });
    assert.equal(data.web!.length, 1);
    assert.match(data.web![0]!.markdown!, /winch/);
  });

  test('in the own index', async () => {
    const found = await paths({ query: 'capstan site:own.test' });
    assert.deepEqual(found, ['own.test/target']);
  });
});

test('a page found only by a provider is shown with its own best passage once it is scraped', async () => {
  const url = web.url('peer.test', '/astrolabe');
  brave.give({ url, title: 'From the provider', description: 'The words of the provider.' });
  const query = 'older astrolabe -v2 -site:own.test';
  const first = async (more: object) => (await ask({ query, ...more })).data.web!.find((item) => item.url === url)!;
  assert.equal((await first({ highlights: false })).title, 'From the provider');
  const scraped = await first({ scrapeOptions: { formats: ['markdown'] } });
  assert.match(scraped.description, /An astrolabe is older than a sextant\./);
});
