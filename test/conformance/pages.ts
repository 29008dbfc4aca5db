// Every PageStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Fetched } from '../../src/page/page.ts';
import { SHARED } from '../../src/page/page-owner.ts';
import type { CachedPage, NewPage, PageQuery, PageStore } from '../../src/store/ports/pages/page-store.ts';
import { runs, seedOr } from '../support/runs.ts';
import {
  DESKTOP,
  HOUR,
  MINUTE,
  markdownOf,
  noise,
  type OpenStore,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  sampleOutcome,
  samplePage,
  sampleResult,
  VIEWER,
} from './samples.ts';

const URL = 'http://site.test/';
const SEED = seedOr(20260105);

const textOf = (page: CachedPage | undefined) =>
  page && ('bytes' in page ? new TextDecoder().decode(page.bytes) : markdownOf(page.outcome));

const findText = async (pages: PageStore, key: string, query?: Partial<PageQuery>) =>
  textOf(await pages.find(queryFor(key, query)));

export function testPageStore(adapter: string, open: OpenStore): void {
  describe(`PageStore on ${adapter}`, () => {
    test('the same transform key finds the result, another one finds the bytes', async (t) => {
      const { pages } = await open(t);
      const { bytes, ...header } = samplePage('<p>Grüße, 世界</p>');
      const resultId = await pages.save(
        pageToStore('key', URL, { ...header, bytes: bytes.slice() }, null, sampleResult('Grüße, 世界')),
      );
      const { pageId, ...found } = (await pages.find(queryFor('key')))!;
      assert.deepEqual(found, { header, resultId, outcome: sampleOutcome('Grüße, 世界') });
      const other = await pages.find(queryFor('key', { transformKey: 'html' }));
      assert.ok(other && 'bytes' in other);
      assert.deepEqual([other.pageId, other.header, [...other.bytes]], [pageId, header, [...bytes]]);
      assert.equal(await pages.find(queryFor('another key')), undefined);
    });

    test('a page that its site confirmed counts as known for all the time since its fetch', async (t) => {
      const { pages } = await open(t);
      const fetchedAt = START - 9 * HOUR;
      const resultId = await pages.save(
        pageToStore('key', URL, samplePage('tides', fetchedAt), null, sampleResult('tides')),
      );
      const recent = { from: START - HOUR };
      assert.equal(await findText(pages, 'key', recent), undefined);
      const { pageId } = (await pages.find(queryFor('key')))!;
      assert.equal(await pages.save({ resultId, checked: { pageId, at: START - MINUTE } }), resultId);
      assert.equal((await pages.find(queryFor('key', recent)))?.header.fetchedAt, START - MINUTE);
      const earlier = { from: START - 5 * HOUR, until: START - 3 * HOUR };
      assert.equal((await pages.find(queryFor('key', earlier)))?.header.fetchedAt, START - 3 * HOUR);
      assert.equal(await findText(pages, 'key', { from: 0, until: fetchedAt - 1 }), undefined);
      // Another result may come with the confirmation; an older confirmation changes nothing.
      const html = { ...sampleResult('<p>tides'), transformKey: 'html' };
      await pages.save({ result: html, pageId, checked: { pageId, at: fetchedAt } });
      assert.equal(await findText(pages, 'key', { ...recent, transformKey: 'html' }), '<p>tides');
    });

    test('a page with an invalid certificate is found only by those who accept it', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage('unverified'), null, sampleResult('unverified')));
      assert.equal(await findText(pages, 'key', { verifiedOnly: true }), undefined);
      const verified: Fetched = { ...samplePage('verified', START - HOUR), isVerified: true };
      await pages.save(pageToStore('key', URL, verified, null, sampleResult('verified')));
      assert.equal(await findText(pages, 'key', { verifiedOnly: true }), 'verified');
      assert.equal(await findText(pages, 'key'), 'unverified', 'the newest');
    });

    test('what is cached of a URL can be listed, newest first and without what has expired', async (t) => {
      const { pages } = await open(t);
      const save = (page: Partial<NewPage>, fetched: Fetched) => {
        const { url = URL, variant = DESKTOP, expiresAt = null } = page;
        const key = JSON.stringify(variant);
        return pages.save({
          page: { owner: SHARED, key, url, variant, rank: 0, fetched, expiresAt },
          result: sampleResult(''),
        });
      };
      const phone = { ...DESKTOP, mobile: true };
      await save({ variant: phone }, { ...samplePage('', START - 1), isVerified: true });
      await save({}, samplePage(''));
      await save({ variant: { ...DESKTOP, waitFor: 9 }, expiresAt: START }, samplePage(''));
      await save({ url: 'http://site.test/other' }, samplePage(''));
      assert.deepEqual(await pages.variants(URL, VIEWER, START), [
        { variant: DESKTOP, fetchedAt: START, isVerified: false },
        { variant: phone, fetchedAt: START - 1, isVerified: true },
      ]);
    });

    test('bodies of any size come back byte for byte', async (t) => {
      const { pages } = await open(t);
      for (const [index, length] of [0, 1, 65_000, 66_000, 3_000_000].entries()) {
        const bytes = noise(length);
        const outcome = sampleOutcome(Buffer.from(bytes).toString('base64'));
        await pages.save(
          pageToStore(`key ${index}`, URL, { ...samplePage(''), bytes: bytes.slice() }, null, {
            ...sampleResult(''),
            outcome,
          }),
        );
        const raw = await pages.find(queryFor(`key ${index}`, { transformKey: 'other' }));
        assert.ok(raw && 'bytes' in raw && Buffer.from(raw.bytes).equals(bytes), `${length} bytes`);
        const found = await pages.find(queryFor(`key ${index}`));
        assert.ok(found && 'outcome' in found);
        assert.deepEqual(found.outcome, outcome);
      }
    });

    test("saving leaves the caller's bytes intact, and stores only the view and not the buffer around it", async (t) => {
      const { pages } = await open(t);
      const whole = new TextEncoder().encode('secret page secret');
      const bytes = whole.subarray(7, 11);
      await pages.save(pageToStore('key', URL, { ...samplePage(''), bytes }, null, sampleResult('')));
      assert.equal(new TextDecoder().decode(whole), 'secret page secret');
      assert.equal(await findText(pages, 'key', { transformKey: 'other' }), 'page');
    });

    test('the newest page within the requested age is found', async (t) => {
      const { pages } = await open(t);
      for (const age of [2, 3, 1]) {
        await pages.save(
          pageToStore('key', URL, samplePage('', START - age * HOUR), null, sampleResult(`${age} h old`)),
        );
      }
      assert.equal(await findText(pages, 'key'), '1 h old');
      assert.equal(await findText(pages, 'key', { until: START - 90 * MINUTE }), '2 h old');
      assert.equal(await findText(pages, 'key', { until: START - 3 * HOUR }), '3 h old');
      assert.equal(await findText(pages, 'key', { from: START - HOUR }), '1 h old');
      assert.equal(await findText(pages, 'key', { from: START - HOUR + 1 }), undefined);
      assert.equal(await findText(pages, 'key', { until: START - 3 * HOUR - 1 }), undefined);
    });

    test('a page is not found from the moment it expires, swept or not', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage(''), START + MINUTE, sampleResult('short-lived')));
      assert.equal(await findText(pages, 'key', { now: START + MINUTE - 1 }), 'short-lived');
      assert.equal(await findText(pages, 'key', { now: START + MINUTE }), undefined);
      await pages.sweep(START + MINUTE);
      assert.equal(await findText(pages, 'key', { now: START }), undefined);
    });

    test('the newest three versions of a page are stored', async (t) => {
      const { pages } = await open(t);
      for (const version of [1, 2, 3, 4]) {
        await pages.save(
          pageToStore('key', URL, samplePage('', START + version), null, sampleResult(`version ${version}`)),
        );
      }
      assert.equal(await findText(pages, 'key', { until: START + 2 }), 'version 2');
      assert.equal(await findText(pages, 'key', { until: START + 1 }), undefined);
    });

    test('short-lived versions do not push out a permanent one', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage('', START), null, sampleResult('good')));
      for (const version of [1, 2, 3, 4]) {
        await pages.save(
          pageToStore('key', URL, samplePage('', START + version), START + MINUTE, sampleResult('failing')),
        );
      }
      assert.equal(await findText(pages, 'key'), 'failing');
      assert.equal(await findText(pages, 'key', { now: START + MINUTE }), 'good');
    });

    test('a result added to a page is found from then on', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('first')));
      const bare = await pages.find(queryFor('key', { transformKey: 'html' }));
      assert.ok(bare && 'pageId' in bare);
      await pages.save({ result: sampleResult('second', START, 'html'), pageId: bare.pageId });
      assert.equal(await findText(pages, 'key', { transformKey: 'html' }), 'second');
      await pages.save({ result: sampleResult('third', START, 'html'), pageId: bare.pageId });
      assert.equal(await findText(pages, 'key', { transformKey: 'html' }), 'third');
      assert.equal(await findText(pages, 'key'), 'first');
    });

    test('only the latest eight results added to a page are stored', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('first', START, 't0')));
      const bare = await pages.find(queryFor('key'));
      assert.ok(bare && 'pageId' in bare);
      for (let i = 1; i <= 9; i++)
        await pages.save({ result: sampleResult(`result ${i}`, START, `t${i}`), pageId: bare.pageId });
      assert.equal(await findText(pages, 'key', { transformKey: 't1' }), '<p>');
      assert.equal(await findText(pages, 'key', { transformKey: 't2' }), 'result 2');
      assert.equal(await findText(pages, 'key', { transformKey: 't9' }), 'result 9');
    });

    test('a result for a page that was deleted meanwhile is stored by itself', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('key', URL, samplePage('<p>'), null, sampleResult('first')));
      const bare = await pages.find(queryFor('key', { transformKey: 'html' }));
      assert.ok(bare && 'pageId' in bare);
      await pages.delete(URL, SHARED);
      assert.ok(await pages.save({ result: sampleResult('second', START, 'html'), pageId: bare.pageId }));
      assert.equal(await pages.find(queryFor('key', { transformKey: 'html' })), undefined);
    });

    test('deleting a URL removes all its variants and no other page', async (t) => {
      const { pages } = await open(t);
      await pages.save(pageToStore('desktop', URL, samplePage(''), null, sampleResult('')));
      await pages.save(pageToStore('mobile', URL, samplePage(''), null, sampleResult('')));
      await pages.save(pageToStore('other', `${URL}other`, samplePage(''), null, sampleResult('other')));
      assert.equal(await pages.delete(URL, SHARED), 2);
      assert.equal(await pages.delete(URL, SHARED), 0);
      assert.equal(await pages.find(queryFor('desktop')), undefined);
      assert.equal(await findText(pages, 'other'), 'other');
    });

    test('a full cache evicts the least recently used pages', async (t) => {
      const { pages } = await open(t, { cacheMaxBytes: 35_000 });
      const put = (key: string, now: number) =>
        pages.save(
          pageToStore(key, URL, { ...samplePage('', now), bytes: noise(10_000) }, null, sampleResult(key, now)),
        );
      const isKept = async (key: string, now: number) => (await findText(pages, key, { now })) !== undefined;
      await put('a', START);
      await put('b', START + 1);
      await put('c', START + 2);
      assert.ok(await isKept('a', START + HOUR), 'finding a page counts as using it');
      await put('d', START + HOUR + 1);
      assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map((key) => isKept(key, START + HOUR))), [
        true,
        false,
        true,
        true,
      ]);
    });

    test('a page larger than the whole cache is not stored, but its result is available to a scrape', async (t) => {
      const { pages, scrapes, teams } = await open(t, { cacheMaxBytes: 1000 });
      const { id: teamId } = await teams.ensureTeam('default', START);
      const page = { ...samplePage(''), bytes: noise(10_000) };
      const resultId = await pages.save(pageToStore('key', URL, page, null, sampleResult('huge')));
      assert.equal(await pages.find(queryFor('key')), undefined);
      const record = { id: 's', teamId, url: URL, options: {}, metadata: {}, toStore: { resultId }, createdAt: START };
      await scrapes.add(sampleCharge(teamId), { ...record, expiresAt: START + HOUR });
      assert.equal(markdownOf((await scrapes.find('s', teamId, START))?.outcome), 'huge');
    });

    test(`saving and finding in any order agree with a plain list of pages (seed ${SEED})`, async (t) => {
      const { pages } = await open(t);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(putOrFind, { maxLength: 30 }), async (steps) => {
          const prefix = `run ${run++} `;
          const model: ListedPage[] = [];
          for (const step of steps) {
            const key = prefix + step.key;
            if ('expiresIn' in step) {
              const expiresAt = step.expiresIn === null ? null : START + step.expiresIn;
              const text = `page ${model.length}`;
              await pages.save(
                pageToStore(key, URL, samplePage(text, START + step.fetchedAt), expiresAt, sampleResult(text)),
              );
              model.push({ key, text, fetchedAt: START + step.fetchedAt, expiresAt });
            } else {
              const range = { from: START + step.from, until: START + step.until, now: START + step.now };
              assert.equal(await findText(pages, key, range), findInList(model, key, range));
            }
          }
        }),
        { seed: SEED, numRuns: runs(30, 1_200) },
      );
    });
  });
}

interface ListedPage {
  key: string;
  text: string;
  fetchedAt: number;
  expiresAt: number | null;
}

const moment = fc.integer({ min: 0, max: 6 });
const putOrFind = fc.oneof(
  fc.record({ key: fc.constantFrom('a', 'b'), fetchedAt: moment, expiresIn: fc.option(moment) }),
  fc.record({ key: fc.constantFrom('a', 'b'), from: moment, until: moment, now: moment }),
);

function findInList(
  list: ListedPage[],
  key: string,
  { from, until, now }: { from: number; until: number; now: number },
) {
  const newestFirst = (pages: ListedPage[]) =>
    pages.toSorted((a, b) => b.fetchedAt - a.fetchedAt || list.indexOf(b) - list.indexOf(a));
  const kept: ListedPage[] = [];
  // A version that was pushed out once stays out, so the list is replayed as it grew.
  for (const page of list.filter((listed) => listed.key === key)) {
    kept.push(page);
    const alike = kept.filter((other) => (other.expiresAt === null) === (page.expiresAt === null));
    for (const old of newestFirst(alike).slice(3)) kept.splice(kept.indexOf(old), 1);
  }
  return newestFirst(kept).find(
    ({ fetchedAt, expiresAt }) => fetchedAt >= from && fetchedAt <= until && (expiresAt === null || expiresAt > now),
  )?.text;
}
