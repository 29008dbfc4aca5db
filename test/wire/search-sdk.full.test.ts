// The public SDK searches as its users call it, and reads plain results as results and scraped ones as documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Document, Firecrawl as Newest, type SearchResultWeb } from 'firecrawl';
import { Firecrawl as Older } from 'firecrawl-4-24';
import { hostPaths, useSearch } from '../support/search/search.ts';
import { CATEGORY_PAGES, datedPages, IMAGE_PAGES, newsPages } from '../support/search/search-corpus.ts';

const NOW = Date.now();
const scene = useSearch({}, [...CATEGORY_PAGES, ...datedPages(NOW), ...newsPages(NOW), ...IMAGE_PAGES]);

for (const [version, Client] of [
  ['4.42.0', Newest],
  ['4.24.0', Older as unknown as typeof Newest],
] as const) {
  describe(`firecrawl ${version}`, () => {
    const client = () => new Client({ apiKey: scene.service.key, apiUrl: scene.service.url });
    const plain = (items: unknown) => items as SearchResultWeb[];

    test('finds pages, news and images', async () => {
      const found = await client().search('ferry strike', { sources: ['web', 'news', 'images'], limit: 5 });
      assert.equal(found.web!.length, 3);
      assert.deepEqual(Object.keys(plain(found.web)[0]!).sort(), ['description', 'position', 'title', 'url']);
      assert.deepEqual(hostPaths(found.news as { url: string }[]), ['paper.test/new', 'paper.test/old']);
      const pictures = await client().search('striped lighthouse larger:800x600', { sources: [{ type: 'images' }] });
      assert.equal((pictures.images as { imageWidth: number }[])[0]!.imageWidth, 1920);
      assert.equal(pictures.web, undefined);
    });

    test('sends categories, time and domains', async () => {
      const found = await client().search('lexer parser', { categories: ['github'] });
      assert.deepEqual(
        plain(found.web).map(({ url, category }) => [hostPaths([{ url }])[0], category]),
        [['github.com/acme/parser', 'github']],
      );
      const newest = await client().search('glacier moraine', { tbs: 'sbd:1,qdr:d' });
      assert.deepEqual(hostPaths(plain(newest.web)), ['ice.test/hour', 'ice.test/day']);
      await assert.rejects(client().search('x', { tbs: 'soon' }), { message: /Invalid request body/ });
    });

    test('gets documents when it requests formats', async () => {
      const { web } = await client().search('lexer parser', {
        limit: 2,
        scrapeOptions: { formats: ['markdown', 'links'] },
      });
      for (const document of web as Document[]) {
        assert.match(document.markdown!, /lexer parser/);
        assert.ok(Array.isArray(document.links));
        assert.deepEqual([document.metadata!.statusCode, document.metadata!.title !== undefined], [200, true]);
      }
      const empty = await client().search('xyzzyplugh');
      assert.deepEqual(empty.web ?? [], []);
    });
  });
}
