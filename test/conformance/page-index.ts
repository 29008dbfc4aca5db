// Every PageIndex adapter passes these tests on applying changes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHARED } from '../../src/page/page-owner.ts';
import {
  bytesOf,
  changeOf,
  entryOf,
  feed,
  NOW,
  type OpenIndex,
  queryOf,
  searchOf,
  urlsOf,
} from './page-index-samples.ts';

const A = 'https://a.example/page';
const B = 'https://b.example/page';

export function testPageIndex(adapter: string, open: OpenIndex): void {
  describe(`PageIndex on ${adapter}: changes`, () => {
    test('an empty index has applied nothing and finds nothing', async (t) => {
      const index = await open(t);
      assert.equal(await index.applied(), 0);
      assert.deepEqual(await index.stats(), { pages: 0, images: 0, skipped: 0 });
      assert.deepEqual(await urlsOf(index, queryOf('anything')), []);
      assert.deepEqual(await urlsOf(index, queryOf()), []);
      assert.deepEqual(await index.news(searchOf(queryOf('anything'))), []);
      assert.deepEqual(await index.images(searchOf(queryOf('anything'))), []);
    });

    test('a page is found by its words as soon as it is applied, with all its fields', async (t) => {
      const index = await open(t);
      await feed(index, {
        url: A,
        title: 'Harbour seals',
        description: 'All about seals.',
        body: 'Harbour seals rest on sandbanks.\nThey hunt at night.',
        publishedAt: NOW - 5_000,
        imageUrl: 'https://a.example/seal.jpg',
      });
      const [hit, ...others] = await index.web(searchOf(queryOf('sandbanks'), { highlights: true }));
      assert.deepEqual(others, []);
      const { score, ...shown } = hit!;
      assert.ok(score > 0);
      assert.deepEqual(shown, {
        url: A,
        title: 'Harbour seals',
        description: 'All about seals.',
        highlight: shown.highlight,
        date: NOW - 5_000,
        isPublished: true,
        coverage: 1,
        fileType: 'html',
        isVerified: true,
        imageUrl: 'https://a.example/seal.jpg',
      });
      assert.match(shown.highlight ?? '', /^Harbour seals rest on sandbanks\./);
      assert.equal(await index.applied(), 1);
    });

    test('no passage is returned unless requested', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, body: 'Harbour seals rest.' });
      const [hit] = await index.web(searchOf(queryOf('seals')));
      assert.ok(hit && !('highlight' in hit) && !('imageUrl' in hit));
    });

    test('a page without a date gets the date of its first fetch', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, body: 'seals', firstSeenAt: NOW - 77, fetchedAt: NOW });
      const [hit] = await index.web(searchOf(queryOf('seals')));
      assert.deepEqual([hit?.date, hit?.isPublished], [NOW - 77, false]);
    });

    test('a page that is fetched again is found once, and by its new words only', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, title: 'Old otters', body: 'otters and more otters' });
      await feed(index, { url: A, title: 'New seals', body: 'seals' });
      assert.deepEqual(await urlsOf(index, queryOf('otters')), []);
      assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
      assert.equal((await index.stats()).pages, 1);
      await feed(index, { url: A, body: 'first' }, { url: A, body: 'second' });
      assert.deepEqual(await urlsOf(index, queryOf('first')), []);
      assert.deepEqual(await urlsOf(index, queryOf('second')), [A]);
      assert.equal((await index.stats()).pages, 1);
    });

    test('a removed page is not found any more, nor are its images', async (t) => {
      const index = await open(t);
      const images = [{ url: 'https://a.example/seal.png', alt: 'seals', caption: '' }];
      await feed(index, { url: A, body: 'seals', images }, { url: B, body: 'seals' });
      assert.deepEqual(await index.stats(), { pages: 2, images: 1, skipped: 0 });
      await feed(index, A);
      assert.deepEqual(await urlsOf(index, queryOf('seals')), [B]);
      assert.deepEqual(await index.images(searchOf(queryOf('seals'))), []);
      assert.deepEqual(await index.stats(), { pages: 1, images: 0, skipped: 0 });
      await feed(index, { url: A, body: 'seals' }, A);
      assert.deepEqual(await urlsOf(index, queryOf('seals')), [B], 'added and removed at once');
      await feed(index, 'https://nobody.example/knows');
      assert.equal(await index.applied(), 6);
    });

    test('applying the same changes again changes nothing', async (t) => {
      const index = await open(t);
      const changes = () => [
        changeOf({ url: A, title: 'Seals', body: 'seals', links: [{ url: B, text: 'walrus' }] }, 1),
        changeOf({ url: B, body: 'otters' }, 2),
      ];
      await index.apply(changes());
      const state = async () => [
        await index.applied(),
        await index.stats(),
        await index.web(searchOf(queryOf('seals walrus otters'))),
      ];
      const before = await state();
      await index.apply(changes());
      await index.apply([changeOf(A, 1)]);
      assert.deepEqual(await state(), before);
    });

    test('unreadable entries are skipped and counted, and the rest is applied', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, body: 'seals' });
      await index.apply([
        {
          owner: SHARED,
          isVerified: true,
          change: 2,
          url: A,
          firstSeenAt: NOW,
          entry: new TextEncoder().encode('{"title":'),
        },
        { owner: SHARED, isVerified: true, change: 3, url: B, firstSeenAt: NOW, entry: bytesOf(['no', 'entry']) },
        {
          owner: SHARED,
          isVerified: true,
          change: 4,
          url: 'no address',
          firstSeenAt: NOW,
          entry: bytesOf(entryOf({ url: A, body: 'seals' })),
        },
        {
          owner: SHARED,
          isVerified: true,
          change: 5,
          url: 'https://c.example/',
          firstSeenAt: NOW,
          entry: bytesOf({ body: 'seals', links: 7, images: [{}], title: {} }),
        },
      ]);
      assert.deepEqual((await urlsOf(index, queryOf('seals'))).sort(), [A, 'https://c.example/']);
      assert.equal((await index.stats()).skipped, 3);
      assert.equal(await index.applied(), 5);
    });

    test('searches are answered while many changes are applied', async (t) => {
      const index = await open(t);
      const changes = Array.from({ length: 400 }, (_, i) =>
        changeOf({ url: `https://a.example/${i}`, body: `seals number${i}` }, i + 1),
      );
      const apply = index.apply(changes);
      let answers = 0;
      let isOver = false;
      void apply.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const found = await urlsOf(index, queryOf('seals'), { limit: 100 });
        if (found.length > 0 && found.length < 100) answers += 1;
        else if (!isOver) answers += 1;
      }
      await apply;
      assert.ok(answers > 1);
      assert.equal((await index.stats()).pages, 400);
    });

    test('overlapping calls of apply run one after the other', async (t) => {
      const index = await open(t);
      await Promise.all([
        index.apply([changeOf({ url: A, body: 'first' }, 1)]),
        index.apply([changeOf({ url: A, body: 'second' }, 2)]),
        index.apply([changeOf({ url: A, body: 'third' }, 3)]),
      ]);
      assert.deepEqual(await urlsOf(index, queryOf('third')), [A]);
      assert.deepEqual(await urlsOf(index, queryOf('first second')), []);
      assert.equal(await index.applied(), 3);
    });

    test('a cleared index has applied nothing and can be filled again', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, body: 'seals' });
      await index.clear();
      assert.equal(await index.applied(), 0);
      assert.deepEqual(await urlsOf(index, queryOf('seals')), []);
      await feed(index, { url: B, body: 'seals' });
      assert.deepEqual(await urlsOf(index, queryOf('seals')), [B]);
    });

    test('a long page is found by its first words, and a page without words by its address', async (t) => {
      const index = await open(t);
      await feed(index, { url: A, body: `walrus ${'x '.repeat(300_000)}` }, { url: 'https://b.example/narwhal-facts' });
      assert.deepEqual(await urlsOf(index, queryOf('walrus')), [A]);
      assert.deepEqual(await urlsOf(index, queryOf('narwhal')), ['https://b.example/narwhal-facts']);
    });
  });
}
