// The synthetic web that the index is measured on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCorpus } from '../../../../bench/corpus/corpus.ts';
import { createQueries, QUERY_CLASSES } from '../../../../bench/index/index-queries.ts';

const SIZE = 1_000;
const corpus = createCorpus(SIZE);
const entries = Array.from({ length: SIZE }, (_, number) => corpus.entry(number));

test('the same number gives the same page, whatever the order of generation', () => {
  const again = createCorpus(SIZE);
  for (const number of [SIZE - 1, 7, 0]) assert.deepEqual(again.entry(number), entries[number]);
});

test('every page has a unique URL, and links lead to existing pages', () => {
  const urls = new Set(entries.map(({ url }) => url));
  assert.equal(urls.size, SIZE);
  for (const { url, links } of entries) {
    assert.ok(links.length > 4);
    for (const link of links) assert.ok(urls.has(link.url) && link.url !== url && link.text !== '', link.url);
  }
  assert.equal(corpus.url(3), entries[3]!.url);
  assert.equal(corpus.host(3), new URL(entries[3]!.url).host);
});

test('pages have about 400 words: a few common ones and many rare ones', () => {
  const counts = entries.map(({ body }) => body.split(/\s+/).length);
  const mean = counts.reduce((sum, count) => sum + count, 0) / SIZE;
  assert.ok(mean > 360 && mean < 480, `${mean} words`);
  const english = entries.filter(({ language }) => language === 'en');
  assert.ok(english.length > SIZE * 0.8 && english.length < SIZE);
  const pages = new Map<string, number>();
  for (const { body } of english) {
    for (const word of new Set(body.toLowerCase().match(/[a-z]+/g))) pages.set(word, (pages.get(word) ?? 0) + 1);
  }
  assert.ok(pages.get('the')! > english.length * 0.95);
  const rare = [...pages.values()].filter((count) => count <= 3).length;
  assert.ok(rare > pages.size / 2, `${rare} of ${pages.size} words are rare`);
});

test('queries of every class are drawn from the pages, the same ones for the same seed', () => {
  const draw = createQueries(corpus, SIZE, 5);
  const again = createQueries(corpus, SIZE, 5);
  const texts = entries.map(({ body, images }) => {
    const said = [body, ...images.map(({ alt }) => alt)].join(' ');
    return ` ${said
      .toLowerCase()
      .match(/[a-z]{3,}/g)!
      .join(' ')} `;
  });
  for (const kind of QUERY_CLASSES) {
    for (let n = 0; n < 5; n += 1) {
      const query = draw(kind);
      assert.deepEqual(again(kind), query);
      const words = query.text.replace(/ site:.*/, '');
      const parts = kind === 'phrase' ? [words.slice(1, -1)] : words.split(' ');
      for (const part of parts)
        assert.ok(
          texts.some((text) => text.includes(` ${part} `)),
          `${kind}: ${part}`,
        );
    }
  }
});
