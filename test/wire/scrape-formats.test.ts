// Every format on every kind of page: what a page cannot give is null or absent, a warning says why, and the other formats
// come all the same. Only a request of which nothing is left fails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FormatType, keyOf, traitsOf } from '../../src/contracts/formats/format-traits.ts';
import { FORMAT_TYPES } from '../../src/contracts/formats/formats.ts';
import { knowledgeGraph } from '../../src/contracts/formats/knowledge-graph.ts';
import { menu } from '../../src/contracts/formats/menu.ts';
import { product } from '../../src/contracts/formats/product.ts';
import type { Citation } from '../../src/page/understanding.ts';
import { runBatch, runCrawl } from '../support/jobs.ts';
import { search, type WebItem } from '../support/search/search.ts';
import { useService } from '../support/use-service.ts';
import { SHARED_SETTINGS } from '../support/wire/settings.ts';

interface Scraped {
  success: boolean;
  code?: string;
  error?: string;
  details?: { path: unknown }[];
  data: Record<string, unknown> & { metadata: Record<string, unknown>; warning?: string };
}

const scene = useService(SHARED_SETTINGS);

const FIELDS: Partial<Record<FormatType, object>> = {
  attributes: { selectors: [{ selector: 'a', attribute: 'href' }] },
  question: { question: 'What is this page about?' },
  highlights: { query: 'page' },
  query: { prompt: 'What is this page about?' },
};
/** What these make of a page has tests of its own: here, they give something or say why not. */
const isDerived = (type: FormatType): boolean => traitsOf(type).stage === 'understanding';
const formatOf = (type: FormatType) => ({ type, ...FIELDS[type] });
/** These are checked alone, because the contract does not combine them with others. */
const EXCLUSIVE: FormatType[] = ['rawBase64', 'deterministicJson'];
const TOGETHER = FORMAT_TYPES.filter((type) => !EXCLUSIVE.includes(type));
const TEXT: FormatType[] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes', 'changeTracking'];

async function scrape(url: string, options: object): Promise<Scraped & { status: number }> {
  const { status, body } = await scene.service.scrape<Scraped>({ url, ...options });
  return { status, ...body };
}

const KINDS: Record<string, { at: [host: string, path: string]; gives: FormatType[]; parsers?: string[] }> = {
  'a web page': { at: ['news.test', '/'], gives: TEXT },
  'a PDF': { at: ['files.test', '/paper.pdf'], gives: TEXT },
  'a PDF that is not to be read': { at: ['files.test', '/paper.pdf'], gives: TEXT, parsers: [] },
  JSON: { at: ['files.test', '/data.json'], gives: TEXT },
  'plain text': { at: ['files.test', '/notes.txt'], gives: TEXT },
  'an error page': { at: ['error.test', '/404'], gives: TEXT },
};

describe('all formats at once', () => {
  for (const [kind, { at, gives, parsers }] of Object.entries(KINDS)) {
    test(`of ${kind}`, async () => {
      const { status, data } = await scrape(scene.web.url(...at), { formats: TOGETHER.map(formatOf), parsers });
      assert.equal(status, 200);
      for (const type of TOGETHER) {
        if (gives.includes(type)) {
          assert.ok(data[type] !== null && data[type] !== undefined, `${type} is there`);
          continue;
        }
        if (isDerived(type) && data[keyOf(type)] !== undefined) continue;
        assert.equal(data[type], traitsOf(type).isNullable ? null : undefined, type);
        assert.match(String(data.warning), new RegExp(`\`${type}\`[^.]* missing\\.|No ${type} found on this page;`));
      }
    });
  }
});

describe('a format that cannot be given', () => {
  const page = () => scene.web.url('news.test', '/');

  test('fails with all reasons if there is no other', async () => {
    const { status, code, error } = await scrape(page(), { formats: ['screenshot', 'branding'] });
    assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
    assert.match(error!, /'screenshot'.*brand/);
  });

  test('is remembered with the scrape, but not with the cached page', async () => {
    const url = scene.web.url('news.test', '/article/formats');
    const first = await scrape(url, { formats: ['markdown', 'screenshot'] });
    assert.deepEqual([first.data.screenshot, first.data.metadata.cacheState], [null, 'miss']);
    const stored = await scene.service.fetch(`/v2/scrape/${first.data.metadata.scrapeId}`);
    assert.deepEqual(((await stored.json()) as Scraped).data, first.data);
    const second = await scrape(url, { formats: ['markdown'] });
    assert.equal(second.data.metadata.cacheState, 'hit');
    assert.ok(!('screenshot' in second.data) && second.data.warning === undefined);
    const third = await scrape(url, { formats: ['markdown', 'screenshot'] });
    assert.deepEqual([third.data.screenshot, third.data.metadata.cacheState], [null, 'hit']);
  });

  test('is null in the pages of a batch, a crawl and a search, too, beside a summary of each', async () => {
    const formats = ['markdown', 'screenshot', 'summary'];
    const urls = [scene.web.url('news.test', '/article/1'), scene.web.url('news.test', '/article/2')];
    const batch = await runBatch(scene.service, { urls, formats });
    const crawl = await runCrawl(scene.service, { url: urls[0], limit: 1, scrapeOptions: { formats } });
    const { data, warning } = await search(scene.service, {
      query: 'site:news.test',
      limit: 1,
      scrapeOptions: { formats },
    });
    assert.match(warning!, /`screenshot` is missing/);
    const documents = [
      ...batch.documents,
      ...crawl.documents,
      ...(data.web as WebItem[]),
    ] as unknown as Scraped['data'][];
    assert.equal(documents.length, 4);
    for (const document of documents) {
      assert.match(String(document.markdown), /\w/);
      assert.equal(document.screenshot, null);
      // A page of links alone cannot be summed up.
      assert.match(
        document.warning!,
        /`summary` (?:was made without a language model|is missing).*`screenshot` is missing\./s,
      );
      assert.equal(typeof document.summary, /`summary` is missing/.test(document.warning!) ? 'undefined' : 'string');
    }
  });

  test('in lockdown or with minAge comes with the cached page', async () => {
    const url = scene.web.url('news.test', '/article/locked');
    await scrape(url, {});
    for (const mode of [{ lockdown: true }, { minAge: 0 }]) {
      const { data } = await scrape(url, { formats: ['markdown', 'audio'], ...mode });
      assert.match(String(data.markdown), /\w/);
      assert.equal(data.audio, null);
      assert.match(data.warning!, /`audio` is missing\./);
    }
  });
});

describe('a file without text', () => {
  for (const [name, path] of [
    ['an image', '/picture.png'],
    ['an archive', '/archive.zip'],
  ] as const) {
    test(`fails if only its text was requested: ${name}`, async () => {
      const url = scene.web.url('files.test', path);
      const { status, code, error } = await scrape(url, { formats: TOGETHER.map(formatOf) });
      assert.deepEqual([status, code], [500, 'SCRAPE_UNSUPPORTED_FILE_ERROR']);
      assert.match(error!, /rawBase64|OCR/);
      assert.equal(typeof (await scrape(url, { formats: ['rawBase64'] })).data.rawBase64, 'string');
    });
  }
});

describe('formats made from the data of a page', () => {
  const FORMATS = ['product', 'menu', { type: 'knowledgeGraph', entityTypes: ['brand', 'RESTAURANT'] }];
  const market = (path: string) => scene.web.url('market.test', path);

  test('a product, with its variants', async () => {
    const { data } = await scrape(market('/teapot'), { formats: FORMATS });
    const { title, brand, variants } = product.parse(data.product);
    assert.deepEqual([title, brand], ['Stoneware Teapot', 'Harbour Pottery']);
    assert.deepEqual(
      variants.map(({ sku, values, price, availability }) => [sku, values?.color, price?.amount, availability.inStock]),
      [
        ['TP-B', 'Blue', 48, true],
        ['TP-G', 'Green', 52, false],
      ],
    );
    assert.ok(!('menu' in data) && !('markdown' in data));
    assert.match(
      data.warning!,
      /`product` was made without a language model: .*No menu found on this page; it does not/,
    );
    assert.deepEqual(
      knowledgeGraph.parse(data.knowledgeGraph).nodes.map(({ label, type }) => [label, type]),
      [['Harbour Pottery', 'Brand']],
    );
    assert.equal(data.metadata.creditsUsed, 1);
  });

  test('a menu, with its sections and the restaurant', async () => {
    const { data } = await scrape(market('/menu'), { formats: FORMATS });
    const { isMenu, merchant, currency, sections } = menu.parse(data.menu);
    assert.deepEqual([isMenu, currency], [true, 'GBP']);
    assert.deepEqual(merchant, { name: 'The Quay', type: 'British', location: '2 Harbour Street, Whitby' });
    assert.deepEqual(
      sections.map(({ name, items }) => [name, items.map((item) => [item.name, item.price?.amount, item.dietary])]),
      [
        [
          'Starters',
          [
            ['Tomato soup', 5.5, ['vegan']],
            ['Onion tart', 7, []],
          ],
        ],
        [
          'Mains',
          [
            ['Fish pie', 14.5, []],
            ['Bean stew', 11, []],
          ],
        ],
      ],
    );
    assert.ok(!('product' in data));
  });

  test('what a menu says is cited where the page shows it, item by item', async () => {
    const { data } = await scrape(market('/menu'), { formats: ['markdown', 'menu'] });
    const citations = data.metadata.citations as Record<string, Citation>;
    const markdown = data.markdown as string;
    const placeOf = (path: string) => {
      const { text, start, end, confidence } = citations[path]!;
      assert.equal(markdown.slice(start, end), text);
      assert.equal(confidence, menu.parse(data.menu).confidence);
      return { text, start };
    };
    const [soup, price, pie] = [
      placeOf('menu.sections[0].items[0].name'),
      placeOf('menu.sections[0].items[0].price.amount'),
      placeOf('menu.sections[1].items[0].name'),
    ];
    assert.deepEqual([soup.text, price.text, pie.text], ['Tomato soup', '5.50', 'Fish pie']);
    assert.ok(soup.start < price.start && price.start < pie.start);
    assert.ok(!Object.keys(citations).some((path) => /id|url|confidence/i.test(path)));
  });

  test('a list of products is neither', async () => {
    const { status, data } = await scrape(market('/teapots'), { formats: FORMATS });
    assert.equal(status, 200);
    assert.ok(!('product' in data) && !('menu' in data));
    assert.match(data.warning!, /No product found on this page; it does not appear to be a product page\./);
    assert.match(data.warning!, /`knowledgeGraph` is empty/);
  });

  test('in a batch and a crawl, too', async () => {
    const batch = await runBatch(scene.service, { urls: [market('/teapot'), market('/menu')], formats: FORMATS });
    const crawl = await runCrawl(scene.service, {
      url: market('/teapot'),
      limit: 1,
      scrapeOptions: { formats: FORMATS },
    });
    const keys = [...batch.documents, ...crawl.documents].map((document) =>
      Object.keys(document).filter((key) => key === 'product' || key === 'menu'),
    );
    assert.deepEqual(keys.flat().sort(), ['menu', 'product', 'product']);
  });
});
