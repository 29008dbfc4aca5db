// Every StoredPages adapter passes these tests, together with the versions of tracked pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPageSharing, type PageOwner, SHARED } from '../../src/page/page-owner.ts';
import type { PageLook } from '../../src/store/ports/pages/page-history.ts';
import type { HostPlace, StoredPage } from '../../src/store/ports/pages/stored-pages.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { bytesOf, entryOf } from './page-index-samples.ts';
import {
  DESKTOP,
  HOUR,
  type OpenStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from './samples.ts';

const sharing = createPageSharing({ isolatesTeams: false });
const TEAM = 'team';
const VIEWER = sharing.viewerOf(TEAM);
const OWN = sharing.removableBy(TEAM, false)[0]!;
const OPERATOR = { owners: sharing.removableBy(TEAM, true), teamId: TEAM, now: START };

interface Sketch {
  owner?: PageOwner;
  finalUrl?: string;
  at?: number;
  /** Not in the index. */
  isHidden?: boolean;
  transformKey?: string;
}

async function save({ pages }: Store, url: string, sketch: Sketch = {}): Promise<void> {
  const { owner = SHARED, finalUrl = url, at = START, isHidden = false } = sketch;
  const entry = bytesOf(entryOf({ url: finalUrl, title: `Title of ${finalUrl}`, fetchedAt: at }));
  await pages.save({
    page: {
      ...{ key: url, owner, url, variant: DESKTOP, rank: 0, expiresAt: null },
      fetched: { ...samplePage(`<p>${url}`, at), finalUrl },
      ...(!isHidden && { entry }),
    },
    result: sampleResult(`# ${url}`, at),
  });
}

const listOf = async ({ stored }: Store, query: Partial<Parameters<typeof stored.list>[0]> = {}) =>
  stored.list({ viewer: VIEWER, teamId: TEAM, seesAll: true, limit: 100, ...query });

const urlsOf = (pages: StoredPage[]) => pages.map(({ url }) => url);

const hostsOf = async ({ stored }: Store, query: Partial<Parameters<typeof stored.hosts>[0]> = {}) =>
  stored.hosts({ viewer: VIEWER, seesAll: true, order: 'pages', limit: 100, ...query });

const counts = async (store: Store) =>
  (await hostsOf(store)).hosts.map(({ host, pages, tracked, bytes }) => [host, pages, tracked, bytes > 0]);

/** Stores a scrape that saw this. */
async function look(store: Store, teamId: string, sketch: Partial<PageLook> & { text?: string }): Promise<void> {
  const { text, ...rest } = sketch;
  const seen: PageLook = {
    ...{ key: 'history', url: 'https://a.test/tracked', at: START },
    ...(text !== undefined && { version: new TextEncoder().encode(text) }),
    ...rest,
  };
  const record = sampleScrape(teamId, { result: sampleResult('text') }, { id: crypto.randomUUID(), look: seen });
  await store.scrapes.add(sampleCharge(teamId), record);
}

const teamIn = async ({ teams }: Store) => (await teams.ensureTeam('default', START)).id;

export function testStoredPages(adapter: string, open: OpenStore): void {
  describe(`StoredPages on ${adapter}: hosts`, () => {
    test('they are counted as pages come, change and go', async (t) => {
      const store = await open(t);
      assert.deepEqual(await counts(store), []);
      await save(store, 'https://a.test/1');
      await save(store, 'https://a.test/1', { at: START + 1 });
      await save(store, 'https://a.test/2');
      await save(store, 'https://a.test/hidden', { isHidden: true });
      await save(store, 'https://b.test/moved', { finalUrl: 'https://a.test/3' });
      await save(store, 'https://c.test:8080/', { isHidden: true });
      assert.deepEqual(await counts(store), [
        ['a.test', 3, 0, true],
        ['c.test:8080', 0, 0, true],
      ]);
      const [first] = (await hostsOf(store)).hosts;
      assert.equal(first?.newestAt, START + 1);
      assert.deepEqual(
        (await hostsOf(store, { seesAll: false })).hosts.map(({ host }) => host),
        ['a.test'],
      );
      await store.stored.remove(['https://a.test/1', 'https://a.test/3'], OPERATOR);
      assert.deepEqual((await counts(store))[0], ['a.test', 1, 0, true]);
    });

    test('the size is that of the cached copies, also after results were added and pages evicted', async (t) => {
      const store = await open(t, { cacheMaxBytes: 0 });
      await save(store, 'https://a.test/1');
      await store.pages.sweep(START + HOUR);
      assert.deepEqual(await counts(store), [['a.test', 1, 0, false]], 'what is evicted can still be found');
      assert.equal((await store.backlog.read()).cacheBytes, 0);

      const large = await open(t);
      await save(large, 'https://a.test/1');
      const found = await large.pages.find(queryFor('https://a.test/1', { transformKey: 'other' }));
      await large.pages.save({ result: sampleResult('more', START, 'other'), pageId: found!.pageId });
      const [host] = (await hostsOf(large)).hosts;
      assert.equal(host?.bytes, (await large.backlog.read()).cacheBytes);
    });

    test('they are listed by size or by name, page by page, each host once whoever owns its pages', async (t) => {
      const store = await open(t);
      const sizes: Record<string, number> = { 'www.b.test': 3, 'a.test': 1, 'c.test': 2, 'd.test': 1, 'www.a.test': 1 };
      for (const [host, size] of Object.entries(sizes)) {
        for (let n = 0; n < size; n++) await save(store, `https://${host}/${n}`);
      }
      for (let n = 0; n < 2; n++) await save(store, `https://d.test/own/${n}`, { owner: OWN });
      await save(store, 'https://c.test/own', { owner: OWN });
      await save(store, 'https://other.test/', { owner: 'another team' as PageOwner });
      const all = async (order: 'pages' | 'name', limit: number) => {
        const hosts: string[] = [];
        for (let after: HostPlace | undefined, isFirst = true; isFirst || after; isFirst = false) {
          const page = await hostsOf(store, { order, limit, ...(after && { after }) });
          hosts.push(...page.hosts.map(({ host, pages }) => `${host} ${pages}`));
          after = page.next;
        }
        return hosts;
      };
      for (const limit of [1, 2, 3, 100]) {
        assert.deepEqual(await all('pages', limit), [
          'www.b.test 3',
          'c.test 3',
          'd.test 3',
          'a.test 1',
          'www.a.test 1',
        ]);
        assert.deepEqual(await all('name', limit), [
          'a.test 1',
          'www.a.test 1',
          'www.b.test 3',
          'c.test 3',
          'd.test 3',
        ]);
      }
      const named = async (prefix: string) => (await hostsOf(store, { prefix })).hosts.map(({ host }) => host);
      assert.deepEqual(await named('a'), ['a.test', 'www.a.test']);
      assert.deepEqual(await named('www.b'), ['www.b.test']);
      assert.deepEqual(await named('x'), []);
    });
  });

  describe(`StoredPages on ${adapter}: pages`, () => {
    test('the pages of a host are listed once each, in the order of their URLs', async (t) => {
      const store = await open(t);
      await save(store, 'https://a.test/b');
      await save(store, 'https://a.test/b', { at: START + 1 });
      await save(store, 'https://a.test/a', { owner: OWN });
      await save(store, 'http://a.test/old', { finalUrl: 'https://a.test/c' });
      await save(store, 'http://a.test/z');
      await save(store, 'https://a.test/hidden', { isHidden: true });
      for (const other of ['https://a.test.evil.test/', 'https://a.test:8080/', 'https://a.test0/', 'https://a.tes/']) {
        await save(store, other);
      }
      const { pages } = await listOf(store, { host: 'a.test' });
      const all = [
        'http://a.test/z',
        'https://a.test/a',
        'https://a.test/b',
        'https://a.test/c',
        'https://a.test/hidden',
      ];
      assert.deepEqual(urlsOf(pages), all);
      assert.deepEqual(
        pages.map(({ copies, isSearchable, isShared }) => [copies, isSearchable, isShared]),
        [
          [1, true, true],
          [1, true, false],
          [2, true, true],
          [1, true, true],
          [1, false, true],
        ],
      );
      const b = pages[2]!;
      assert.deepEqual([b.title, b.language, b.fileType], ['Title of https://a.test/b', 'en', 'html']);
      assert.deepEqual([b.fetchedAt, b.status], [START + 1, 200]);
      assert.equal((await listOf(store)).pages.length, 9);
      assert.deepEqual(urlsOf((await listOf(store, { host: 'a.test', contains: '/b' })).pages), ['https://a.test/b']);
      const shared = await listOf(store, { host: 'a.test', seesAll: false });
      assert.ok(
        !urlsOf(shared.pages).includes('https://a.test/hidden'),
        'teams list only what a search would show them',
      );
    });

    test('lists go on where they ended, while pages come and go', async (t) => {
      const store = await open(t);
      for (let n = 10; n < 40; n++) await save(store, `https://a.test/${n}`, { owner: n % 3 ? SHARED : OWN });
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await listOf(store, { host: 'a.test', limit: 7, ...(after !== undefined && { after }) });
        seen.push(...urlsOf(page.pages));
        after = page.next;
        await save(store, `https://a.test/0${seen.length}`);
        await save(store, 'https://a.test/11', { at: START + seen.length });
      } while (after !== undefined);
      assert.deepEqual(
        seen,
        Array.from({ length: 30 }, (_, n) => `https://a.test/${n + 10}`),
      );
    });

    test('a page shows what is stored of it, also by a URL that leads to it', async (t) => {
      const store = await open(t);
      await save(store, 'https://a.test/old', { finalUrl: 'https://a.test/new' });
      const page = await store.stored.find('https://a.test/old', VIEWER, TEAM);
      assert.deepEqual([page?.url, page?.redirectsTo], ['https://a.test/old', 'https://a.test/new']);
      assert.deepEqual(page?.content, { format: 'markdown', text: '# https://a.test/old', fetchedAt: START });
      assert.deepEqual([page?.formats, page?.metadata.title], [['markdown', 'links'], 'A title']);
      assert.deepEqual(page?.variants[0]?.variant, DESKTOP);
      assert.equal((await store.stored.find('https://a.test/new', VIEWER, TEAM))?.redirectsTo, undefined);
      assert.equal(await store.stored.find('https://a.test/none', VIEWER, TEAM), undefined);
      const stranger = createPageSharing({ isolatesTeams: true }).viewerOf('stranger');
      assert.equal(await store.stored.find('https://a.test/new', stranger, 'stranger'), undefined);
    });

    test('a page that was evicted shows its text as the index has it', async (t) => {
      const store = await open(t, { cacheMaxBytes: 0 });
      await save(store, 'https://a.test/1');
      await store.pages.sweep(START + HOUR);
      const page = await store.stored.find('https://a.test/1', VIEWER, TEAM);
      assert.deepEqual([page?.copies, page?.content?.format, page?.isSearchable], [0, 'text', true]);
    });
  });

  describe(`StoredPages on ${adapter}: removal`, () => {
    test('a page goes as a whole, once, and nothing else goes', async (t) => {
      const store = await open(t);
      const teamId = await teamIn(store);
      await save(store, 'https://a.test/1');
      await save(store, 'https://a.test/old', { finalUrl: 'https://a.test/1' });
      await save(store, 'https://a.test/2');
      await look(store, teamId, { text: 'one', url: 'https://a.test/1' });
      await look(store, teamId, { text: 'two', url: 'https://a.test/1', at: START + 1 });
      await look(store, teamId, { text: 'tagged', key: 'other', tag: 'daily', url: 'https://a.test/1' });
      const before = await store.feed.state();
      const removable = { owners: OPERATOR.owners, teamId, now: START };
      assert.deepEqual(await store.stored.remove(['https://a.test/1'], removable), {
        pages: 1,
        copies: 2,
        versions: 3,
      });
      assert.deepEqual(await store.stored.remove(['https://a.test/1'], removable), {
        pages: 0,
        copies: 0,
        versions: 0,
      });
      assert.equal(await store.pages.find(queryFor('https://a.test/1')), undefined);
      assert.equal(await store.pages.find(queryFor('https://a.test/old')), undefined);
      assert.deepEqual(await store.history.histories(teamId, 'https://a.test/1'), []);
      const removals = await store.feed.after(before.newest, 10);
      assert.deepEqual(
        removals.map(({ url, entry }) => [url, entry]),
        [['https://a.test/1', null]],
      );
      assert.deepEqual(urlsOf((await listOf(store, { teamId })).pages), ['https://a.test/2']);
    });

    test('a team removes its own, the operator what is shared, nobody the pages of another team', async (t) => {
      const store = await open(t);
      const url = 'https://a.test/1';
      const other = 'another team' as PageOwner;
      for (const owner of [SHARED, OWN, other]) await save(store, url, { owner });
      assert.equal((await store.stored.remove([url], { owners: [OWN], teamId: TEAM, now: START })).copies, 1);
      assert.equal((await listOf(store)).pages[0]?.copies, 1);
      assert.equal((await store.stored.remove([url], OPERATOR)).copies, 1);
      assert.deepEqual((await listOf(store)).pages, []);
      assert.equal((await listOf(store, { viewer: sharing.viewerOf(other), teamId: other })).pages.length, 1);
    });

    test('a host goes in slices, with URLs that lead elsewhere', async (t) => {
      const store = await open(t);
      const teamId = await teamIn(store);
      for (let n = 0; n < 10; n++) await save(store, `https://a.test/${n}`);
      await save(store, 'http://a.test/', { finalUrl: 'https://b.test/' });
      await look(store, teamId, { text: 'tracked' });
      const removed: number[] = [];
      let after: string | undefined = '';
      while (after !== undefined) {
        const slice: { pages: number; next?: string } = await store.stored.removeOfHost(
          ...(['a.test', { owners: OPERATOR.owners, teamId, now: START }, after, 4] as const),
        );
        assert.ok(slice.pages <= 4);
        removed.push(slice.pages);
        after = slice.next;
      }
      assert.equal(
        removed.reduce((sum, pages) => sum + pages),
        12,
      );
      assert.equal(await store.pages.find(queryFor('http://a.test/')), undefined);
      assert.deepEqual(
        urlsOf((await listOf(store)).pages),
        ['https://b.test/'],
        'the page itself belongs to another host',
      );
      assert.deepEqual(await counts(store), [['b.test', 1, 0, false]]);
    });
  });

  describe(`versions of tracked pages on ${adapter}`, () => {
    const versionsOf = async (store: Store, teamId: string) =>
      (await store.history.histories(teamId, 'https://a.test/tracked')).map(({ versions }) =>
        versions.map(({ status, at, seenAt }) => `${status} ${at - START} ${seenAt - START}`),
      );

    test('a change is a version, the same text is not, and a page may go and come back', async (t) => {
      const store = await open(t);
      const teamId = await teamIn(store);
      await look(store, teamId, { text: 'one' });
      await look(store, teamId, { text: 'one ', at: START + 1, isSame: true });
      await look(store, teamId, { text: 'two', at: START + 2 });
      await look(store, teamId, { text: 'two', at: START + 3 });
      await look(store, teamId, { at: START + 4 });
      await look(store, teamId, { at: START + 5 });
      await look(store, teamId, { text: 'two', at: START + 6, isSame: true });
      assert.deepEqual(await versionsOf(store, teamId), [['same 6 6', 'removed 4 5', 'changed 2 3', 'new 0 1']]);
      const { versions } = (await store.history.histories(teamId, 'https://a.test/tracked'))[0]!;
      const textOf = async (index: number, team = teamId) => {
        const found = await store.history.version(team, 'https://a.test/tracked', versions[index]!.number);
        return found && new TextDecoder().decode(found.version);
      };
      assert.deepEqual([await textOf(0), await textOf(1), await textOf(3)], ['two', undefined, 'one ']);
      assert.equal(await textOf(0, 'another team'), undefined);
      assert.deepEqual(await counts(store), [], 'hosts of other teams are not listed');
    });

    test('the last ones are kept, and each tag has its own', async (t) => {
      const store = await open(t);
      const teamId = await teamIn(store);
      for (let n = 0; n < 30; n++) await look(store, teamId, { text: `text ${n}`, at: START + n });
      await look(store, teamId, { text: 'daily', key: 'daily', tag: 'daily', isRedacted: true });
      const histories = await store.history.histories(teamId, 'https://a.test/tracked');
      assert.deepEqual(
        histories.map(({ tag, isRedacted, versions }) => [tag, isRedacted, versions.length]),
        [
          ['daily', true, 1],
          [undefined, false, 20],
        ],
      );
      assert.equal(histories[1]!.versions.at(-1)!.at, START + 10);
      const viewer = sharing.viewerOf(teamId);
      const { pages } = await store.stored.list({ viewer, teamId, seesAll: false, tracked: true, limit: 10 });
      assert.deepEqual(urlsOf(pages), ['https://a.test/tracked']);
    });
  });
}
