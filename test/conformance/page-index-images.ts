// Every PageIndex adapter passes these tests on image search.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Query } from '../../src/contracts/search/search-query.ts';
import type { PageIndex } from '../../src/index/page-index.ts';
import type { EntryImage } from '../../src/page/index-entry.ts';
import {
  type Asking,
  DAY,
  feed,
  filetype,
  NOW,
  type OpenIndex,
  phrase,
  queryOf,
  searchOf,
  site,
  size,
  wordClause,
} from './page-index-samples.ts';

const image = (name: string, given: Partial<EntryImage> = {}): EntryImage => ({
  url: `https://img.example/${name}`,
  alt: '',
  caption: '',
  ...given,
});

const namesOf = async (index: PageIndex, query: Query, asking?: Asking): Promise<string[]> =>
  (await index.images(searchOf(query, asking))).map(({ imageUrl }) => imageUrl.replace('https://img.example/', ''));

export function testIndexImages(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: images`, () => {
    test('an image is found by its alt text, caption, file name or page title, and shown with its size', async (t) => {
      const index = await open(t);
      await feed(
        index,
        {
          url: 'https://a.example/',
          title: 'Coast',
          body: 'lighthouse',
          images: [image('1.png', { alt: 'Grey seal', width: 640, height: 480 })],
        },
        { url: 'https://b.example/', images: [image('2.png', { caption: 'The puffin' })] },
        { url: 'https://c.example/', images: [image('stormy_petrel.jpg')] },
        { url: 'https://d.example/', title: 'Gannets', images: [image('4.png')] },
      );
      assert.deepEqual(await index.images(searchOf(queryOf('seal'))).then(([hit]) => ({ ...hit, score: 0 })), {
        title: 'Grey seal',
        url: 'https://a.example/',
        isVerified: true,
        imageUrl: 'https://img.example/1.png',
        width: 640,
        height: 480,
        score: 0,
      });
      assert.deepEqual(await namesOf(index, queryOf('puffin')), ['2.png']);
      assert.deepEqual(await namesOf(index, queryOf('petrel')), ['stormy_petrel.jpg']);
      assert.deepEqual(await namesOf(index, queryOf('gannet')), ['4.png']);
      assert.deepEqual(await namesOf(index, queryOf('lighthouse')), [], 'the text of the page does not count');
    });

    test('of the images of a page, those that match the query best come first', async (t) => {
      const index = await open(t);
      await feed(index, {
        url: 'https://a.example/',
        title: 'Seals',
        images: [image('logo.png'), image('walrus.png', { alt: 'walrus' }), image('seal.png', { alt: 'A seal' })],
      });
      assert.equal((await namesOf(index, queryOf('seal')))[0], 'seal.png');
    });

    test('an image on several pages is shown once', async (t) => {
      const index = await open(t);
      const images = [image('seal.png', { alt: 'seal' })];
      await feed(index, { url: 'https://a.example/', images }, { url: 'https://b.example/', images });
      assert.deepEqual(await namesOf(index, queryOf('seal')), ['seal.png']);
    });

    test('imagesize: and larger: match only images of known size', async (t) => {
      const index = await open(t);
      await feed(index, {
        url: 'https://a.example/',
        title: 'Seal',
        images: [
          image('unknown.png', { alt: 'seal seal' }),
          image('exact.png', { alt: 'seal', width: 800, height: 600 }),
          image('wide.png', { alt: 'seal', width: 900, height: 600 }),
          image('large.png', { alt: 'seal', width: 801, height: 601 }),
          image('half.png', { alt: 'seal', width: 800 }),
        ],
      });
      assert.equal((await namesOf(index, queryOf('seal'))).length, 5);
      assert.deepEqual(await namesOf(index, queryOf('seal', size('imagesize', 800, 600))), ['exact.png']);
      assert.deepEqual(await namesOf(index, queryOf('seal', size('larger', 800, 600))), ['large.png']);
      assert.deepEqual(await namesOf(index, queryOf(size('larger', 800, 600))), ['large.png']);
      assert.deepEqual(await namesOf(index, queryOf(size('imagesize', 1, 1))), []);
      assert.deepEqual((await namesOf(index, queryOf('seal', size('larger', 800, 600, true)))).sort(), [
        'exact.png',
        'half.png',
        'unknown.png',
        'wide.png',
      ]);
    });

    test('filetype: is the type of the image, and jpeg equals jpg', async (t) => {
      const index = await open(t);
      const images = ['a.png', 'b.jpg', 'c.jpeg', 'd.webp'].map((name) => image(name, { alt: 'seal' }));
      await feed(index, { url: 'https://a.example/x.pdf', title: 'Seal', fileType: 'pdf', images });
      const found = async (...types: ReturnType<typeof filetype>[]) =>
        (await namesOf(index, queryOf('seal', ...types))).sort();
      assert.deepEqual(await found(filetype('jpg')), ['b.jpg', 'c.jpeg']);
      assert.deepEqual(await found(filetype('png'), filetype('webp')), ['a.png', 'd.webp']);
      assert.deepEqual(await found(filetype('jpeg', true)), ['a.png', 'd.webp']);
      assert.deepEqual(await found(filetype('pdf')), []);
    });

    test('a size is found on the last of many pages', async (t) => {
      const index = await open(t);
      const pages = Array.from({ length: 150 }, (_, i) => ({
        url: `https://h${i}.example/`,
        title: 'seal seal',
        images: [image(`${i}.png`, { alt: 'seal', width: 10 + i, height: 10 })],
      }));
      await feed(
        index,
        {
          url: 'https://first.example/x/y',
          images: [image('wanted.png', { alt: `seal ${'x '.repeat(50)}`, width: 777, height: 555 })],
        },
        ...pages,
      );
      assert.deepEqual(await namesOf(index, queryOf('seal', size('imagesize', 777, 555))), ['wanted.png']);
      assert.deepEqual(await namesOf(index, queryOf('seal', size('larger', 700, 500))), ['wanted.png']);
    });

    test('conditions on pages apply to their images', async (t) => {
      const index = await open(t);
      await feed(
        index,
        {
          url: 'https://best.example/x',
          title: 'Seal',
          publishedAt: NOW - 90 * DAY,
          images: [image('best.png', { alt: 'Seal seal' })],
        },
        {
          url: 'https://fitting.example/wild',
          title: 'Wild animals',
          fileType: 'pdf',
          images: [image('fitting.png', { alt: 'some seal' })],
        },
      );
      const fitting = ['fitting.png'];
      assert.equal((await namesOf(index, queryOf('seal')))[0], 'best.png');
      for (const clause of [
        site('fitting.example'),
        site('best.example', '', true),
        wordClause('intitle', ['wild']),
        wordClause('inurl', ['wild']),
        phrase('some seal'),
      ]) {
        assert.deepEqual(await namesOf(index, queryOf('seal', clause)), fitting, clause.kind);
      }
      assert.deepEqual(await namesOf(index, queryOf('seal'), { time: { from: NOW - 30 * DAY } }), fitting);
      assert.deepEqual(await namesOf(index, queryOf('seal'), { includeDomains: ['fitting.example'] }), fitting);
      assert.deepEqual(await namesOf(index, queryOf('seal'), { excludeDomains: ['best.example'] }), fitting);
      assert.deepEqual(await namesOf(index, queryOf('seal'), { categories: ['pdf'] }), fitting);
      assert.deepEqual(await namesOf(index, queryOf('animals -best')), fitting);
      assert.deepEqual(await namesOf(index, queryOf('seal'), { sortByDate: true }), ['fitting.png', 'best.png']);
    });
  });
}
