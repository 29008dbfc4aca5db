// POST /v2/index/search: what somebody sees who types into a search box, what is refused, and who sees which page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IndexSearchResponse } from '../../src/contracts/search/index-search.ts';
import { APART, addressOf, hostPaths, useSearch } from '../support/search/search.ts';
import { OPERATOR_PAGES } from '../support/search/search-corpus.ts';
import { joinService } from '../support/shared-service.ts';
import type { SearchPage } from '../support/web/search-pages.ts';

const PATH = '/v2/index/search';
const DAY = 86_400_000;
const PAGES: readonly SearchPage[] = [
  ...OPERATOR_PAGES,
  {
    at: 'old.test/almanac',
    title: 'The almanac',
    text: 'Tides of the estuary.',
    published: new Date(Date.now() - 800 * DAY),
  },
  {
    at: 'neu.test/kalender',
    title: 'Der Kalender',
    text: 'Die Gezeiten der Elbe sind hier verzeichnet.',
    language: 'de',
  },
];

const scene = useSearch({}, [...PAGES]);

type Data = IndexSearchResponse['data'];

async function find(request: object, from = scene.service): Promise<Data> {
  const { status, body } = await from.post<IndexSearchResponse>(PATH, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}
const found = async (request: object) => hostPaths((await find(request)).hits);

describe('POST /v2/index/search', () => {
  test('finds a word while it is being typed, and marks it', async () => {
    const { hits, query, ms } = await find({ query: 'saffr', typing: true });
    assert.deepEqual(hostPaths(hits), ['soup.test/loud', 'soup.test/faint']);
    assert.deepEqual(query.words[0]!.completions, ['saffron']);
    assert.ok(hits[0]!.marked.title.some(({ text, isMatch }) => isMatch && text === 'saffron'));
    assert.ok(hits[0]!.marked.passages.length > 0);
    assert.ok(ms >= 0);
    assert.deepEqual(await found({ query: 'saffr ', typing: true }), [], 'a space ends the word');
    assert.deepEqual(await found({ query: 'saffr' }), []);
  });

  test('reads operators, says where they stand, and applies them', async () => {
    const { hits, query } = await find({ query: '  brass   kettle -site:north.test "side note"' });
    assert.equal(hostPaths(hits)[0], 'south.test/kettles');
    assert.ok(hits.every(({ title, host }) => title === 'A side note' && host !== 'north.test'));
    assert.equal(query.text, 'brass kettle -site:north.test "side note"');
    assert.deepEqual(
      query.conditions.map(({ kind, negated, text }) => [kind, negated, text]),
      [
        ['site', true, '-site:north.test'],
        ['phrase', false, '"side note"'],
      ],
    );
    for (const { start, end, text } of query.conditions) assert.equal(query.text.slice(start, end), text);
    assert.deepEqual(await found({ query: 'cargo tonnage filetype:csv' }), ['trade.test/files/tonnage.csv']);
    assert.deepEqual(await found({ query: 'allintitle:velvet curtain' }), ['fabric.test/rooms/loud']);
  });

  test('filters by host, language, kind and time, and counts what can be chosen', async () => {
    const all = await find({ query: 'cargo tonnage' });
    const kinds = new Map(all.facets!.kinds.map(({ value, pages }) => [value, pages]));
    assert.deepEqual([kinds.get('csv'), kinds.get('json')], [1, 1]);
    assert.deepEqual(await found({ query: 'cargo tonnage', kinds: ['csv', 'json'] }).then((list) => list.sort()), [
      'trade.test/files/berths.json',
      'trade.test/files/tonnage.csv',
    ]);
    assert.deepEqual(await found({ languages: ['de'] }), ['neu.test/kalender']);
    assert.deepEqual(await found({ query: 'brass kettle', includeDomains: ['shop.south.test'] }), [
      'shop.south.test/kettles/used',
    ]);
    assert.deepEqual(await found({ query: 'estuary' }), ['old.test/almanac']);
    const { hits, relaxed } = await find({ query: 'estuary', tbs: 'qdr:y' });
    assert.deepEqual(hits, []);
    assert.deepEqual(relaxed, [{ condition: 'tbs', isFilter: true, query: 'estuary', total: 1, totalIs: 'exact' }]);
  });

  test('says which condition leaves nothing over', async () => {
    const { relaxed } = await find({ query: 'brass kettle site:wood.test -spout', languages: ['en'] });
    assert.deepEqual(
      relaxed!.map(({ condition, query, total }) => [condition, query, total]),
      [['site:wood.test', 'brass kettle -spout', 2]],
    );
  });

  test('explains scores that add up', async () => {
    const { hits } = await find({ query: 'brass kettle', explain: true });
    assert.ok(hits.length >= 3);
    for (const { score, explain } of hits) {
      const sum = explain!.parts.reduce((total, { value }) => total + value, 0);
      assert.ok(Math.abs(sum - score!) < 1e-4, `${sum} is not ${score}`);
      assert.deepEqual(
        explain!.parts.filter(({ part }) => part === 'word').map(({ word }) => word),
        ['brass', 'kettle'],
      );
    }
    assert.equal((await find({ query: 'brass kettle' })).hits[0]!.explain, undefined);
  });

  test('lists everything without a query, page by page', async () => {
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const data: Data = await find({ offset, limit: 7, facets: false });
      assert.equal(data.facets, undefined);
      seen.push(...data.hits.map(({ url }) => url));
      offset = data.nextOffset;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length >= PAGES.length - 2, `${seen.length} of ${PAGES.length}`);
  });

  test('shows a team only its own pages', async () => {
    const strangers = await joinService(scene.web, APART);
    const { hits, total, facets, query, isManual } = await find({ query: 'saffr', typing: true }, strangers);
    assert.deepEqual([hits, total, isManual], [[], 0, false]);
    assert.deepEqual([facets!.hosts, query.words[0]!.pages, query.words[0]!.completions], [[], 0, undefined]);
    const everything = await find({}, strangers);
    assert.ok(everything.hits.every(({ host }) => !host.endsWith('.test')));
    const mine = PAGES.find(({ at }) => at === 'neu.test/kalender')!;
    await strangers.scrape({ url: addressOf(scene.web, mine) });
    assert.deepEqual(hostPaths((await find({}, strangers)).hits), ['neu.test/kalender']);
  });

  test('refuses what it cannot read', async () => {
    for (const request of [
      { query: 'x'.repeat(501) },
      { query: 7 },
      { limit: 0 },
      { limit: 51 },
      { offset: -1 },
      { offset: 501 },
      { languages: ['english'] },
      { kinds: ['<b>'] },
      { kinds: Array(21).fill('pdf') },
      { tbs: 'yesterday' },
      { includeDomains: ['https://north.test/'] },
      [],
    ]) {
      const { status, body } = await scene.service.post<{ code: string }>(PATH, request);
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(request));
    }
  });

  test('answers any text that somebody types', async () => {
    for (const query of [
      '',
      ' ',
      '"',
      '-',
      '--',
      'site:',
      '-"',
      '( OR )',
      '\u0000',
      '\ud800',
      '*',
      'a'.repeat(500),
      '🦭🦭',
      "'; --",
      '\ue000x',
      'imagesize:1x1',
    ])
      await find({ query, typing: true, explain: true });
  });

  test('costs nothing', async () => {
    const usage = async () => (await scene.service.fetch('/v2/team/credit-usage')).json();
    const before = await usage();
    await find({ query: 'brass kettle' });
    assert.deepEqual(await usage(), before);
  });

  test('says that searching by meaning is turned off, and ranks by words', async () => {
    const { status, body } = await scene.service.post<{ code: string; error: string }>(PATH, {
      query: 'saffron',
      mode: 'meaning',
    });
    assert.equal(status, 501);
    assert.equal(body.code, 'ENCODER_UNAVAILABLE');
    assert.match(body.error, /TRAWL_SEMANTIC/);
    assert.deepEqual(await found({ query: 'saffron' }), await found({ query: 'saffron', mode: 'words' }));
  });
});
