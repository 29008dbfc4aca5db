// Conditions beside the words: time, hosts, categories, country, sizes of images. Each leaves out a page that would
// be first without it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostPaths, useSearch } from '../support/search/search.ts';
import {
  CATEGORY_PAGES,
  COUNTRY_PAGES,
  DOMAIN_PAGES,
  datedPages,
  IMAGE_PAGES,
  newsPages,
} from '../support/search/search-corpus.ts';

const NOW = Date.now();
const DAY = 86_400_000;

const scene = useSearch({}, [
  ...DOMAIN_PAGES,
  ...CATEGORY_PAGES,
  ...datedPages(NOW),
  ...newsPages(NOW),
  ...IMAGE_PAGES,
  ...COUNTRY_PAGES,
]);

/** MM/DD/YYYY, this many days ago. */
function daysAgo(days: number): string {
  const [year, month, day] = new Date(NOW - days * DAY).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

describe('tbs', () => {
  const glaciers = async (tbs?: string) =>
    (await scene.hostPaths('glacier moraine', tbs === undefined ? {} : { tbs })).map((place) => place.split('/')[1]!);
  const ORDER = ['hour', 'day', 'week', 'month', 'year', 'years'];

  test('is needed: the oldest page is first without it', async () => {
    const found = await glaciers();
    assert.equal(found[0], 'years');
    assert.deepEqual(found.sort(), [...ORDER].sort());
  });

  for (const [preset, count] of [
    ['qdr:h', 1],
    ['qdr:d', 2],
    ['qdr:w', 3],
    ['qdr:m', 4],
    ['qdr:y', 5],
  ] as const) {
    test(`${preset} finds pages published since then`, async () => {
      assert.deepEqual((await glaciers(preset)).sort(), ORDER.slice(0, count).sort());
    });
  }

  test('cdr finds pages between two dates, the last day included', async () => {
    assert.deepEqual((await glaciers(`cdr:1,cd_min:${daysAgo(201)},cd_max:${daysAgo(4)}`)).sort(), ['month', 'year']);
    assert.deepEqual(await glaciers(`cdr:1,cd_min:${daysAgo(20)},cd_max:${daysAgo(20)}`), ['month']);
    assert.deepEqual((await glaciers(`cdr:1,cd_max:${daysAgo(100)}`)).sort(), ['year', 'years']);
  });

  test('sbd:1 puts the newest first, with and without a range', async () => {
    assert.deepEqual(await glaciers('sbd:1'), ORDER);
    assert.deepEqual(await glaciers('sbd:1,qdr:m'), ORDER.slice(0, 4));
    assert.deepEqual(await glaciers('qdr:w,sbd:1'), ORDER.slice(0, 3));
    assert.notDeepEqual(await glaciers(), ORDER);
  });

  test('in a source applies to that source alone', async () => {
    const { data } = await scene.search({
      query: 'ferry strike',
      sources: [{ type: 'web', tbs: `cdr:1,cd_max:${daysAgo(30)}` }, { type: 'news' }],
    });
    assert.deepEqual(hostPaths(data.web), ['paper.test/old']);
    assert.deepEqual(hostPaths(data.news), ['paper.test/new', 'paper.test/old']);
    const everywhere = await scene.search({ query: 'ferry strike', sources: ['web', 'news'], tbs: 'qdr:w' });
    // A page without a date counts from the time it was first seen.
    assert.deepEqual(hostPaths(everywhere.data.web).sort(), ['magazine.test/essay', 'paper.test/new']);
    assert.deepEqual(hostPaths(everywhere.data.news), ['paper.test/new']);
  });

  test('of a source overrides that of the request', async () => {
    const sources = [{ type: 'web', tbs: 'qdr:w' }];
    assert.equal((await scene.hostPaths('glacier moraine', { tbs: 'qdr:h', sources })).length, 3);
  });
});

describe('hosts', () => {
  test('includeDomains finds pages of these hosts and their subdomains; `www.` means the host and its bare twin', async () => {
    assert.equal((await scene.hostPaths('paper lantern'))[0], 'lamps.test/loud');
    const kept = ['festival.test/faint', 'www.festival.test/more'];
    for (const host of ['festival.test', 'FESTIVAL.test', 'festival.test.']) {
      const found = (await scene.hostPaths('paper lantern', { includeDomains: [host] })).sort();
      assert.deepEqual(found, [...kept, 'shop.festival.test/sale'].sort(), host);
    }
    for (const host of ['www.festival.test', 'WWW.festival.test.']) {
      assert.deepEqual((await scene.hostPaths('paper lantern', { includeDomains: [host] })).sort(), kept, host);
    }
    assert.deepEqual(await scene.hostPaths('paper lantern', { includeDomains: ['shop.festival.test'] }), [
      'shop.festival.test/sale',
    ]);
    assert.deepEqual(await scene.hostPaths('paper lantern', { includeDomains: ['nowhere.test'] }), []);
  });

  test('excludeDomains leaves them out', async () => {
    const found = await scene.hostPaths('paper lantern', {
      excludeDomains: ['lamps.test', 'festival.test', 'paper.test'],
    });
    assert.deepEqual(found, ['notfestival.test/other']);
    const withSale = await scene.hostPaths('paper lantern', {
      excludeDomains: ['lamps.test', 'www.festival.test', 'paper.test'],
    });
    assert.deepEqual(withSale.sort(), ['notfestival.test/other', 'shop.festival.test/sale']);
  });

  test('an empty list is no condition, and may be combined with the other list', async () => {
    const found = await scene.hostPaths('paper lantern', { includeDomains: [], excludeDomains: ['lamps.test'] });
    assert.ok(found.length >= 3 && !found.includes('lamps.test/loud'));
  });
});

describe('categories', () => {
  const found = async (categories: unknown) => {
    const { data, warning } = await scene.search({ query: 'lexer parser', categories });
    return { items: data.web!.map(({ url, category }) => [hostPaths([{ url }])[0], category]), warning };
  };
  const GITHUB = ['github.com/acme/parser', 'github'];
  const RESEARCH = ['arxiv.org/abs/2601.00001', 'research'];

  test('find only their own pages, each with its category', async () => {
    assert.equal((await scene.hostPaths('lexer parser'))[0], 'blogs.test/parser');
    assert.deepEqual((await found(['github'])).items, [GITHUB]);
    assert.deepEqual((await found([{ type: 'research' }])).items, [RESEARCH]);
    assert.deepEqual((await found(['github', { type: 'research' }])).items.sort(), [RESEARCH, GITHUB]);
    assert.deepEqual((await found(['pdf'])).items, []);
  });

  test('are returned only on request', async () => {
    const { data } = await scene.search({ query: 'lexer parser', categories: [] });
    assert.equal(data.web!.length, 3);
    assert.ok(data.web!.every((item) => !('category' in item)));
  });

  test('that are not served are ignored, and the warning names each', async () => {
    const { items, warning } = await found(['developer', 'github', 'gov', 'poetry']);
    assert.deepEqual(items, [GITHUB]);
    assert.equal(
      warning,
      "The category 'developer' has a search of its own: POST /v2/search/developer. " +
        "The category 'gov' is not served here. Name the hosts in `includeDomains` instead. " +
        "Unknown categories were ignored: 'poetry'. Use github, research or pdf.",
    );
    assert.equal((await found(['developer'])).items.length, 3);
  });
});

describe('country', () => {
  const first = async (more: object) => (await scene.hostPaths('fahrrad', more))[0];

  test('does not change the language of the results: only `lang` does, and nothing is left out', async () => {
    for (const more of [{}, { country: 'DE' }, { country: 'de' }, { location: 'Munich,Bavaria,Germany' }]) {
      assert.equal(await first(more), 'bicycles.test/workshop', JSON.stringify(more));
    }
    assert.equal(await first({ country: 'DE', lang: 'de' }), 'werkstatt.de/rad');
    assert.equal(await first({ sources: [{ type: 'web', country: 'DE', lang: 'de' }] }), 'werkstatt.de/rad');
    assert.equal((await scene.hostPaths('fahrrad', { country: 'DE' })).length, 2);
  });

  test('prefers pages for it in the language of the search', async () => {
    const firstCup = async (more: object) => (await scene.hostPaths('teacup', more))[0];
    assert.equal(await firstCup({ country: 'GB' }), 'tea.co.uk/cups');
    assert.equal(await firstCup({ country: 'uk' }), 'tea.co.uk/cups');
    assert.equal(await firstCup({ location: 'London, England' }), 'tea.co.uk/cups');
    for (const more of [{}, { country: 'AU' }]) assert.equal(await firstCup(more), 'tea.test/');
  });

  test('is derived from the location if it is not given', async () => {
    const firstCup = async (more: object) => (await scene.hostPaths('teacup', more))[0];
    assert.equal(await firstCup({ location: 'London,England,United Kingdom' }), 'tea.co.uk/cups');
    assert.equal(await firstCup({ location: 'England' }), 'tea.co.uk/cups');
    assert.equal(await firstCup({ location: 'Atlantis' }), 'tea.test/');
    assert.equal(await firstCup({ location: 'London,England', country: 'US' }), 'tea.test/');
    assert.equal(await firstCup({ sources: [{ type: 'web', location: 'England' }] }), 'tea.co.uk/cups');
  });

  test('words of other languages find their pages', async () => {
    assert.deepEqual(await scene.hostPaths('gebrauchte Räder'), ['werkstatt.de/rad']);
    assert.deepEqual(await scene.hostPaths('pièces vélos'), ['atelier.fr/velo']);
    assert.deepEqual(await scene.hostPaths('自転車 修理'), ['jitensha.jp/shuri']);
  });
});

describe('sizes of images', () => {
  const sizes = async (query: string) =>
    (await scene.search({ query, sources: ['images'] })).data.images!.map(({ imageUrl }) =>
      hostPaths([{ url: imageUrl }])[0]!
        .split('/')
        .at(-1),
    );

  test('imagesize: finds exactly that size', async () => {
    assert.equal((await sizes('striped lighthouse')).length, 4);
    assert.deepEqual(await sizes('striped lighthouse imagesize:320x240'), ['small.jpg']);
    assert.deepEqual(await sizes('imagesize:800x600'), ['middle.jpg']);
    assert.ok(!(await sizes('striped lighthouse -imagesize:1920x1080')).includes('large.jpg'));
    assert.deepEqual(await sizes('striped lighthouse imagesize:240x320'), []);
  });

  test('larger: finds images that are larger in both dimensions', async () => {
    assert.deepEqual((await sizes('striped lighthouse larger:320x240')).sort(), ['large.jpg', 'middle.jpg']);
    assert.deepEqual(await sizes('striped lighthouse larger:800x600'), ['large.jpg']);
    assert.deepEqual(await sizes('striped lighthouse larger:100x1080'), []);
  });

  test('filetype: is the type of the image, not of its page', async () => {
    assert.equal((await sizes('striped lighthouse filetype:jpg')).length, 4);
    assert.deepEqual(await sizes('striped lighthouse filetype:png'), []);
    assert.deepEqual(await sizes('striped lighthouse -filetype:jpg'), []);
  });

  test('are ignored by other sources', async () => {
    assert.deepEqual(await scene.hostPaths('striped lighthouse imagesize:1x1'), ['gallery.test/lighthouses']);
  });
});

test('a team ranks domains: first, higher, lower or not at all, in searches of all kinds', async (t) => {
  const put = (lists: object) =>
    scene.service.fetch('/v2/team/ranking', {
      method: 'PUT',
      body: JSON.stringify(lists),
      headers: { 'content-type': 'application/json' },
    });
  t.after(() => put({}));
  const before = await scene.hostPaths('paper lantern');
  const pinned = before.at(-1)!.split('/')[0]!;
  assert.equal((await put({ pin: [pinned], block: ['lamps.test'] })).status, 200);
  const { data } = await scene.search({ query: 'paper lantern', explain: true });
  const found = hostPaths(data.web);
  assert.ok(found[0]!.startsWith(pinned));
  assert.ok(!found.includes('lamps.test/loud'));
  assert.equal((data.web![0]!.explain as { ranking?: string }).ranking, 'pin');
  const own = await scene.service.post<{ data: { hits: { url: string; explain?: { ranking?: string } }[] } }>(
    '/v2/index/search',
    { query: 'paper lantern', explain: true },
  );
  const { hits } = own.body.data;
  assert.ok(hostPaths(hits)[0]!.startsWith(pinned));
  assert.ok(!hostPaths(hits).includes('lamps.test/loud'));
  assert.equal(hits[0]!.explain!.ranking, 'pin');
  assert.equal((await put({ pin: ['not a domain'] })).status, 400);
  await put({});
  assert.deepEqual(await scene.hostPaths('paper lantern'), before);
});
