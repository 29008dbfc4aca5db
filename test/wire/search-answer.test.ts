// The answer of a search: its arrays and keys, positions, credits, highlights, and scraped pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { read } from '../support/jobs.ts';
import { hostPaths, useSearch, type WebItem } from '../support/search/search.ts';
import { searchCorpus } from '../support/search/search-corpus.ts';
import { type SearchPage, searchPage } from '../support/web/search-pages.ts';

const NOW = Date.now();
/** Enough pages about one topic to request more than ten of them. */
const many = Array.from({ length: 25 }, (_, n) => ({
  at: `host-${n % 5}.test/tides/${n}`,
  title: `Tide table ${n}`,
  text: `The spring tide of port ${n} is in table ${n * 7}.`,
}));
const flawed: SearchPage[] = [
  { at: 'flaw.test/colony', title: 'Cormorant colony', text: 'A cormorant colony on the cliff.', isOnceOnly: true },
  { at: 'flaw.test/diary', title: 'Cormorant diary', text: 'A diary of the cormorant.' },
];
const pages: SearchPage[] = [...searchCorpus(NOW), ...many, ...flawed];
const scene = useSearch({}, pages);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('shape', () => {
  test('a plain search has these keys and no others', async () => {
    const answer = await scene.search({ query: 'brass kettle' });
    assert.deepEqual(Object.keys(answer).sort(), ['creditsUsed', 'data', 'id', 'success']);
    assert.match(answer.id, UUID);
    assert.deepEqual(Object.keys(answer.data), ['web']);
    for (const [index, item] of answer.data.web!.entries()) {
      assert.deepEqual(Object.keys(item).sort(), ['description', 'position', 'title', 'url']);
      assert.equal(item.position, index + 1);
    }
    assert.equal(answer.data.web![0]!.title, 'The brass kettle book');
  });

  test('a search without results returns an empty array and is free', async () => {
    const answer = await scene.search({ query: 'xyzzyplugh', sources: ['web', 'news', 'images'] });
    assert.deepEqual([answer.data, answer.creditsUsed], [{ web: [], news: [], images: [] }, 0]);
  });

  test('news have a date, and an image if there is one', async () => {
    const { data } = await scene.search({ query: 'ferry strike', sources: ['news'] });
    assert.deepEqual(Object.keys(data), ['news']);
    const [newest, oldest] = data.news!;
    assert.deepEqual(Object.keys(newest!).sort(), ['date', 'position', 'snippet', 'title', 'url']);
    assert.equal(newest!.date, new Date(NOW - 2 * 3_600_000).toISOString());
    assert.match(newest!.snippet, /The ferry strike ended at dawn/);
    assert.equal(oldest!.imageUrl, scene.web.url('paper.test', '/images/ferry.jpg'));
    assert.deepEqual([newest!.position, oldest!.position], [1, 2]);
  });

  test('images have their size, their page and their address', async () => {
    const { data } = await scene.search({ query: 'striped lighthouse noon', sources: ['images'], limit: 1 });
    assert.deepEqual(data.images, [
      {
        title: 'Striped lighthouse at noon',
        imageUrl: scene.web.url('gallery.test', '/images/middle.jpg'),
        imageWidth: 800,
        imageHeight: 600,
        url: scene.web.url('gallery.test', '/lighthouses'),
        position: 1,
      },
    ]);
    const { data: fog } = await scene.search({ query: 'lighthouse fog', sources: ['images'], limit: 1 });
    assert.deepEqual(Object.keys(fog.images![0]!).sort(), ['imageUrl', 'position', 'title', 'url']);
  });
});

describe('limit and credits', () => {
  const counts = async (more: object) => {
    const { data, creditsUsed } = await scene.search({ query: 'tide table', ...more });
    return [data.web!.length, creditsUsed];
  };

  test('ten results by default; two credits for every ten results or part of them', async () => {
    assert.deepEqual(await counts({}), [10, 2]);
    assert.deepEqual(await counts({ limit: 1 }), [1, 2]);
    assert.deepEqual(await counts({ limit: 11 }), [11, 4]);
    assert.deepEqual(await counts({ limit: 100 }), [25, 6]);
  });

  test('the limit applies to each source', async () => {
    const { data } = await scene.search({ query: 'ferry strike', sources: ['web', 'news'], limit: 1 });
    assert.deepEqual([data.web!.length, data.news!.length], [1, 1]);
  });

  test('the team is charged what the answer says', async () => {
    const remaining = async () =>
      (await read<{ data: { remainingCredits: number } }>(scene.service, '/v2/team/credit-usage')).body.data
        .remainingCredits;
    const before = await remaining();
    const { creditsUsed } = await scene.search({ query: 'brass kettle', scrapeOptions: { formats: ['markdown'] } });
    assert.equal(creditsUsed, 2 + 3);
    assert.equal(before - (await remaining()), creditsUsed);
  });
});

describe('highlights', () => {
  const clock = pages.find(({ at }) => at === 'clocks.test/pendulum')!;

  test('are the best passage of the page, word for word', async () => {
    const { data } = await scene.search({ query: 'pendulum invar' });
    const { description } = data.web![0]!;
    assert.match(description, /A pendulum of invar hardly changes/);
    assert.ok(clock.text.split('\n').some((paragraph) => paragraph.includes(description)));
  });

  test('are at most 300 characters, all of them verbatim from the page', async () => {
    const { data } = await scene.search({ query: 'harbour river bridge', limit: 100 });
    assert.ok(data.web!.length > 10);
    for (const { url, description } of data.web!) {
      assert.ok(description.length <= 300 && description.length > 0, description);
      const html = searchPage(pages.find(({ at }) => at === hostPaths([{ url }])[0])!).replace(/<[^>]+>/g, '\n');
      for (const piece of description.split(/ ?… ?/)) assert.ok(html.includes(piece), `${url}: ${piece}`);
    }
  });

  test('can be switched off in favour of the description of the page', async () => {
    const { data } = await scene.search({ query: 'pendulum invar', highlights: false });
    assert.equal(data.web![0]!.description, clock.description);
  });
});

const kettles = (scrapeOptions?: object) =>
  scene.search({ query: 'brass kettle', ...(scrapeOptions && { scrapeOptions }) });

describe('scrapeOptions', () => {
  const PLAIN = ['description', 'position', 'title', 'url'];

  test('without formats nothing is scraped, whatever the other options', async () => {
    for (const options of [{}, { formats: [] }, { maxAge: 0, onlyMainContent: false }]) {
      const asked = scene.web.requests('north.test');
      const { data, creditsUsed } = await kettles(options);
      assert.deepEqual([Object.keys(data.web![0]!).sort(), creditsUsed], [PLAIN, 2]);
      assert.equal(scene.web.requests('north.test'), asked);
    }
  });

  test('formats are added to the fields of the result', async () => {
    const { data, creditsUsed } = await kettles({ formats: ['markdown', { type: 'html' }, 'links'] });
    assert.equal(creditsUsed, 2 + 3);
    const [first] = data.web!;
    assert.deepEqual(Object.keys(first!).sort(), ['html', 'links', 'markdown', 'metadata', ...PLAIN].sort());
    assert.equal(first!.title, 'The brass kettle book');
    assert.match(first!.markdown!, /# The brass kettle book\n\nAll about brass kettle/);
    assert.match(first!.html!, /<h1>/);
    assert.deepEqual(
      [first!.metadata!.statusCode, first!.metadata!.sourceURL, first!.metadata!.title],
      [200, first!.url, 'The brass kettle book'],
    );
  });

  test('pages come from the cache, unless fresh ones are requested', async () => {
    const states = async (more: object) =>
      (await kettles({ formats: ['markdown'], ...more })).data.web!.map(({ metadata }) => metadata!.cacheState);
    assert.deepEqual(await states({}), ['hit', 'hit', 'hit']);
    const asked = scene.web.requests('north.test', '/kettles');
    await states({ maxAge: 0 });
    assert.equal(scene.web.requests('north.test', '/kettles'), asked + 1);
  });

  test('each scrape can be read again by its id', async () => {
    const { data } = await kettles({ formats: ['markdown'] });
    for (const { metadata, markdown } of data.web!) {
      const { status, body } = await read<{ data: WebItem }>(scene.service, `/v2/scrape/${metadata!.scrapeId}`);
      assert.deepEqual([status, body.data.markdown], [200, markdown]);
    }
  });

  test('news are scraped too, images are not', async () => {
    const { data } = await scene.search({
      query: 'ferry strike',
      sources: ['news', 'images'],
      scrapeOptions: { formats: ['markdown'] },
    });
    assert.match(data.news![0]!.markdown!, /Ships sail again/);
    assert.ok(data.images!.length > 0 && data.images!.every((item) => !('markdown' in item) && !('metadata' in item)));
  });

  test('a result that cannot be scraped stays, with its error', async () => {
    const scrapeOptions = { formats: ['markdown'], maxAge: 0 };
    const { data, creditsUsed } = await scene.search({ query: 'cormorant', scrapeOptions });
    assert.deepEqual(hostPaths(data.web).sort(), ['flaw.test/colony', 'flaw.test/diary']);
    const [failed] = data.web!.filter(({ url }) => url.endsWith('/colony'));
    assert.deepEqual(Object.keys(failed!).sort(), ['metadata', ...PLAIN].sort());
    assert.deepEqual(failed!.metadata, {
      title: 'Cormorant colony',
      description: failed!.description,
      sourceURL: failed!.url,
      url: failed!.url,
      statusCode: 500,
      errorCode: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      error: 'The file is an image (image/png). To read its text by OCR, send `"parsers": ["pdf", "image"]`.',
    });
    assert.match(data.web!.find(({ url }) => url.endsWith('/diary'))!.markdown!, /A diary/);
    assert.equal(creditsUsed, 2 + 1);
  });
});

test('a result that the cache alone may answer carries the code of its miss', async () => {
  const codes = async (scrapeOptions: object) => {
    const { data } = await kettles({ formats: ['markdown'], mobile: true, ...scrapeOptions });
    return data.web!.map(({ metadata }) => [metadata!.statusCode, metadata!.errorCode]);
  };
  assert.deepEqual(await codes({ minAge: 1 }), Array(3).fill([404, 'SCRAPE_NO_CACHED_DATA']));
  assert.deepEqual(await codes({ lockdown: true }), Array(3).fill([404, 'SCRAPE_LOCKDOWN_CACHE_MISS']));
});

test('many simultaneous searches are all answered, each with its own results', async () => {
  const words = ['brass kettle', 'walnut cabinet', 'saffron broth', 'velvet curtain'];
  const first = async (query: string) => (await scene.search({ query, limit: 1 })).data.web![0]!.title;
  const titles = await Promise.all(Array.from({ length: 40 }, (_, n) => first(words[n % words.length]!)));
  assert.deepEqual(
    titles,
    titles.map((_, n) => `The ${words[n % words.length]} book`),
  );
});

test('explain reports what each provider returned, what was dropped and how long it took', async () => {
  const answer = await scene.search({ query: 'brass kettle', explain: true });
  const [run] = answer.explain!.providers;
  assert.deepEqual(
    [run!.source, run!.provider, run!.state, run!.results, run!.requests],
    ['web', 'index', 'answered', 3, 1],
  );
  assert.ok(run!.ms >= 0 && answer.explain!.timing.search! >= 0 && answer.explain!.timing.scrape! >= 0);
  assert.deepEqual(answer.explain!.dropped, []);
  assert.deepEqual(
    answer.data.web!.map(({ explain }) => explain),
    [1, 2, 3].map((rank) => ({ providers: [{ provider: 'index', rank }] })),
  );
});
