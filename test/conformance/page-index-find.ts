// Every PageIndex adapter answers people like this: words that are being typed, marks, counts, and scores that add up.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FoundPages, IndexFind, PageIndex, TextSegment } from '../../src/index/page-index.ts';
import { FIELD_WEIGHTS } from '../../src/index/ranking/ranking-weights.ts';
import { createPageSharing, type PageOwner } from '../../src/page/page-owner.ts';
import {
  type Asking,
  DAY,
  feed,
  filler,
  NOW,
  type OpenIndex,
  phrase,
  queryOf,
  related,
  searchOf,
} from './page-index-samples.ts';

type Finding = Asking & Partial<Pick<IndexFind, 'offset' | 'languages' | 'kinds' | 'unfinished' | 'setApart'>>;

const find = (index: PageIndex, query: IndexFind['query'], finding: Finding = {}): Promise<FoundPages> => {
  const { offset = 0, languages = [], kinds = [], unfinished, setApart = [], ...asking } = finding;
  const { highlights: _, ...search } = searchOf(query, asking);
  return index.find({ ...search, offset, languages, kinds, unfinished, setApart, explain: true, facets: true });
};
/** Finds what somebody sees who has typed so far. */
const type = (index: PageIndex, text: string, finding: Finding = {}) =>
  find(index, queryOf(text), { ...finding, unfinished: text.split(' ').at(-1) });
const urls = ({ hits }: FoundPages) => hits.map(({ url }) => url);
const marks = (segments: readonly TextSegment[]) => segments.filter(({ isMatch }) => isMatch).map(({ text }) => text);
const at = (host: string, path = '/page') => `https://${host}.example${path}`;

export function testIndexFind(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: searches of people`, () => {
    test('every word is found from its second letter on, and never lost while it is typed', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('run'), title: 'Running', body: `People are running. ${filler(30)}` },
        { url: at('crawl'), title: 'Crawlers', body: `A crawler crawls politely. ${filler(30)}` },
        { url: at('city'), title: 'Städte', body: 'Die Verwaltungen der Städte', language: 'de' },
        { url: at('moscow'), title: 'Москва', body: 'Переулки города', language: 'ru' },
      );
      for (const [word, host] of [
        ['running', 'run'],
        ['crawling', 'crawl'],
        ['crawlers', 'crawl'],
        ['politely', 'crawl'],
        ['verwaltungen', 'city'],
        ['переулки', 'moscow'],
      ] as const) {
        for (let end = 2; end <= word.length; end += 1)
          assert.deepEqual(urls(await type(index, word.slice(0, end))), [at(host)], word.slice(0, end));
      }
      const { words, hits } = await type(index, 'craw');
      assert.deepEqual(words[0]!.completions, ['crawl', 'crawler']);
      assert.deepEqual(marks(hits[0]!.title), ['Crawlers']);
      assert.deepEqual(urls(await find(index, queryOf('craw'))), [], 'only while it is being typed');
    });

    test('only the last word is completed, and a stop word beside others is not', async (t) => {
      const index = await open(t);
      await feed(index, { url: at('a'), body: 'crawl tokens' }, { url: at('b'), body: 'other things' });
      const first = await type(index, 'craw tokens');
      assert.equal(first.words[0]!.completions, undefined);
      const stopped = await type(index, 'crawl to');
      assert.deepEqual(
        stopped.words.map(({ text, isIgnored }) => [text, isIgnored]),
        [
          ['crawl', false],
          ['to', true],
        ],
      );
    });

    test('the parts of a score add up to it, and the occurrences to the weight of a word', async (t) => {
      const index = await open(t);
      const links = [{ url: at('front', '/'), text: 'seals of the sea' }];
      await feed(
        index,
        { url: at('front', '/'), title: 'Grey seals', headings: 'Seals', body: `Seals ${filler(30)} grey seal`, links },
        { url: at('seals', '/'), title: 'Home', body: `A seal. ${filler(60)}`, countries: ['US'] },
        { url: at('deep', '/a/b/c/seal'), body: `grey and ${filler(90)} seal`, publishedAt: NOW - 90 * DAY },
        { url: at('links'), body: filler(50), links },
        ...Array.from({ length: 20 }, (_, n) => ({ url: at(`other${n}`), body: filler(20 + n), quality: n / 20 })),
      );
      let explained = 0;
      for (const query of [
        queryOf('seal'),
        queryOf('grey seals'),
        queryOf('the'),
        queryOf(),
        queryOf(related('front.example')),
      ]) {
        for (const { score, parts, url } of (await find(index, query, { limit: 30 })).hits) {
          const sum = parts!.reduce((total, { value }) => total + value, 0);
          assert.ok(Math.abs(sum - score!) < 1e-4, `${url}: ${sum} is not ${score}: ${JSON.stringify(parts)}`);
          explained += 1;
        }
      }
      assert.ok(explained > 25);
      const [best] = (await find(index, queryOf('grey seals'))).hits;
      assert.equal(best!.url, at('front', '/'));
      const word = best!.parts!.find(({ word }) => word === 'seals')!;
      assert.deepEqual(word.occurrences, { title: 1, headings: 1, body: 2, anchors: 1 });
      assert.equal(word.pages, 3);
      assert.ok(FIELD_WEIGHTS.title > FIELD_WEIGHTS.body);
      assert.ok(
        ['allWords', 'proximity', 'links', 'frontPage'].every((name) => best!.parts!.some(({ part }) => part === name)),
      );
      const [deep] = (await find(index, queryOf('seal'), { includeDomains: ['deep.example'] })).hits;
      assert.ok(deep!.parts!.some(({ part, value }) => part === 'depth' && value < 0));
    });

    test('facets count each filter as if it were not set, and filters apply together', async (t) => {
      const index = await open(t);
      const page = (n: number) => ({ body: `seal ${filler(20 + n)}`, publishedAt: NOW - n * 10 * DAY });
      await feed(
        index,
        { ...page(0), url: at('a', '/1') },
        { ...page(1), url: at('a', '/2'), language: 'de' },
        { ...page(2), url: at('b', '/3'), fileType: 'pdf' },
        { ...page(50), url: at('b', '/4'), isNews: true, language: '' },
        { url: at('c'), body: 'nothing of it' },
      );
      const all = await find(index, queryOf('seal'));
      assert.deepEqual([all.total, all.totalIs], [4, 'exact']);
      assert.deepEqual(all.facets!.hosts, [
        { value: 'a.example', pages: 2 },
        { value: 'b.example', pages: 2 },
      ]);
      assert.deepEqual(all.facets!.kinds, [
        { value: 'page', pages: 2 },
        { value: 'news', pages: 1 },
        { value: 'pdf', pages: 1 },
      ]);
      assert.deepEqual(
        all.facets!.dates.map(({ pages }) => pages),
        [1, 1, 3, 3],
      );
      const german = await find(index, queryOf('seal'), { languages: ['de'] });
      assert.deepEqual(urls(german), [at('a', '/2')]);
      assert.deepEqual(german.facets!.languages, all.facets!.languages);
      assert.deepEqual(german.facets!.hosts, [{ value: 'a.example', pages: 1 }]);
      assert.deepEqual(urls(await find(index, queryOf('seal'), { languages: [''], kinds: ['news', 'pdf'] })), [
        at('b', '/4'),
      ]);
      const recent = await find(index, queryOf('seal'), { kinds: ['pdf'], time: { from: NOW - 30 * DAY } });
      assert.deepEqual(urls(recent), [at('b', '/3')]);
      assert.deepEqual(urls(await find(index, queryOf('seal'), { languages: ['de'], kinds: ['pdf'] })), []);
      const listed = await find(index, queryOf(), { limit: 2 });
      assert.deepEqual([listed.total, listed.order, listed.hasMore], [5, 'rank', true]);
    });

    test('pages of results follow one another without gaps or repeats', async (t) => {
      const index = await open(t);
      const pages = Array.from({ length: 23 }, (_, n) => ({
        ...{ url: n % 3 === 0 ? at(`own${n}`) : at('big', `/${n}`), title: n % 2 === 0 ? `grey ${n}` : `seal ${n}` },
        body: `${filler(n * 3)} grey ${filler(n)} seal ${n}`,
      }));
      await feed(index, ...pages);
      const whole = urls(await find(index, queryOf('grey seal'), { limit: 30 }));
      const parts: string[] = [];
      for (let offset = 0; ; offset += 5) {
        const { hits, hasMore } = await find(index, queryOf('grey seal'), { offset, limit: 5 });
        parts.push(...hits.map(({ url }) => url));
        if (!hasMore) break;
      }
      assert.deepEqual(parts, whole);
      assert.equal(new Set(parts).size, 23);
      const moved = (await find(index, queryOf('grey seal'), { limit: 30 })).hits.filter(
        ({ isMovedDown }) => isMovedDown,
      );
      assert.ok(moved.length > 0, 'a crowded host ranks behind others');
    });

    test('titles and passages are marked by their words, in any script, and together are the text', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('en'), title: 'On <b>Crawling</b>', body: 'It crawls. A crawler waits. Nothing else.' },
        { url: at('ja'), title: '東京都の天気', body: '東京都は晴れです。', language: 'ja' },
      );
      const [en] = (await find(index, queryOf('crawl'))).hits;
      assert.deepEqual(marks(en!.title), ['Crawling']);
      assert.equal(en!.title.map(({ text }) => text).join(''), 'On <b>Crawling</b>');
      assert.deepEqual(en!.passages.flatMap(marks), ['crawls']);
      const [ja] = (await find(index, queryOf('東京都'))).hits;
      assert.deepEqual(marks(ja!.title), ['東京都']);
      const [described] = (await find(index, queryOf(), { includeDomains: ['en.example'] })).hits;
      assert.deepEqual(described!.passages, [[{ text: 'It crawls. A crawler waits. Nothing else.', isMatch: false }]]);
    });

    test('what is set apart answers only when nothing else does', async (t) => {
      const index = await open(t);
      await feed(index, { url: at('manual'), body: 'crawl the cache' }, { url: at('own'), body: 'crawl a site' });
      const setApart = [at('manual')];
      assert.deepEqual(urls(await find(index, queryOf('crawl'), { setApart })), [at('own')]);
      const only = await find(index, queryOf('cache'), { setApart });
      assert.deepEqual([urls(only), only.isSetApart, only.total], [[at('manual')], true, 1]);
      const listed = await find(index, queryOf(), { setApart });
      assert.deepEqual([listed.total, listed.facets!.hosts.length], [1, 1]);
      const none = await find(index, queryOf('absent'), { setApart });
      assert.deepEqual([none.hits, none.isSetApart], [[], false]);
    });

    test('completions, counts and facets tell nothing about pages of others', async (t) => {
      const index = await open(t);
      const sharing = createPageSharing({ isolatesTeams: true });
      const [A, B] = ['a', 'b'].map((team) =>
        sharing.ownerOf({ urls: [], hasSecretUrls: true, isManual: false }, team),
      ) as [PageOwner, PageOwner];
      await feed(
        index,
        ...Array.from({ length: 30 }, (_, n) => ({
          url: at(`a${n}`),
          owner: A,
          body: `secretword${n} secretly ${filler(n)}`,
        })),
        { url: at('b'), owner: B, body: `secretary ${filler(30)}`, language: 'de' },
      );
      const seen = await type(index, 'secr', { viewer: sharing.viewerOf('b') });
      assert.deepEqual(urls(seen), [at('b')]);
      assert.ok(!JSON.stringify(seen).includes('secretword'));
      assert.ok(!JSON.stringify(seen).includes('secretly'));
      assert.deepEqual([seen.total, seen.words[0]!.pages], [1, 1]);
      assert.deepEqual(seen.facets!.hosts, [{ value: 'b.example', pages: 1 }]);
      const other = await type(index, 'secr', { viewer: sharing.viewerOf('c') });
      assert.deepEqual([other.hits, other.total, other.words[0]!.completions], [[], 0, undefined]);
    });

    test('phrases and exclusions leave out pages here, too', async (t) => {
      const index = await open(t);
      await feed(
        index,
        { url: at('right'), body: 'the amber falcon flies' },
        { url: at('wrong'), body: 'the falcon is amber' },
      );
      assert.deepEqual(urls(await find(index, queryOf(phrase('amber falcon')))), [at('right')]);
      assert.deepEqual(urls(await find(index, queryOf('falcon -flies'))), [at('wrong')]);
    });
  });
}
