// Every PageStore and IndexFeed adapter passes these tests on who sees which page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPageSharing, EVERYONE, type PageOwner, SHARED } from '../../src/page/page-owner.ts';
import type { PageStore } from '../../src/store/ports/pages/page-store.ts';
import { DESKTOP, markdownOf, type OpenStore, queryFor, START, samplePage, sampleResult } from './samples.ts';

const URL = 'http://site.test/';
const sharing = createPageSharing({ isolatesTeams: false });
const isolation = createPageSharing({ isolatesTeams: true });
const private_ = { urls: [], hasSecretUrls: true, isManual: false };
const [A, B] = ['a', 'b'].map((team) => sharing.ownerOf(private_, team)) as [PageOwner, PageOwner];

interface Sketch {
  owner: PageOwner;
  url?: string;
  finalUrl?: string;
  at?: number;
  isVerified?: boolean;
}

const save = (
  pages: PageStore,
  text: string,
  { owner, url = URL, finalUrl = url, at = START, isVerified = true }: Sketch,
) =>
  pages.save({
    page: {
      ...{ key: url, owner, url, variant: DESKTOP, rank: 0, expiresAt: null },
      fetched: { ...samplePage(text, at), finalUrl, ...(isVerified && { isVerified }) },
      entry: new TextEncoder().encode(JSON.stringify({ text })),
    },
    result: sampleResult(text),
  });

async function seen(pages: PageStore, viewer = sharing.viewerOf('a'), url = URL): Promise<string | undefined> {
  const found = await pages.find(queryFor(url, { viewer }));
  return found && 'outcome' in found ? markdownOf(found.outcome) : undefined;
}

export function testPageOwners(adapter: string, open: OpenStore): void {
  describe(`PageStore on ${adapter}: owners`, () => {
    test('each viewer finds the newest page that it may see', async (t) => {
      const { pages } = await open(t);
      await save(pages, 'everyone', { owner: EVERYONE, at: START - 3 });
      await save(pages, 'shared', { owner: SHARED, at: START - 2 });
      await save(pages, "a's", { owner: A, at: START - 1 });
      assert.equal(await seen(pages, sharing.viewerOf('a')), "a's");
      assert.equal(await seen(pages, sharing.viewerOf('b')), 'shared');
      assert.equal(await seen(pages, isolation.viewerOf('a')), "a's");
      assert.equal(await seen(pages, isolation.viewerOf('b')), 'everyone');
    });

    test('lists, redirects and variants leave out what the viewer may not see', async (t) => {
      const { pages } = await open(t);
      await save(pages, 'x', { owner: A, finalUrl: 'http://site.test/home?token=x' });
      const known = async (team: string) =>
        (await pages.known({ viewer: sharing.viewerOf(team), host: 'site.test', subdomains: false, limit: 9 })).length;
      assert.deepEqual([await known('a'), await known('b')], [1, 0]);
      const variants = async (team: string) => (await pages.variants(URL, sharing.viewerOf(team), START)).length;
      assert.deepEqual([await variants('a'), await variants('b')], [1, 0]);
      assert.deepEqual(await pages.redirects([URL], sharing.viewerOf('a')), { [URL]: 'http://site.test/home?token=x' });
      assert.deepEqual(await pages.redirects([URL], sharing.viewerOf('b')), {});
      const unverified = { owner: A, finalUrl: 'http://evil.test/', at: START + 1, isVerified: false };
      await save(pages, 'y', unverified);
      assert.deepEqual(Object.values(await pages.redirects([URL], sharing.viewerOf('a'))), [
        'http://site.test/home?token=x',
      ]);
    });

    test('the versions and deletions of one owner leave those of another alone', async (t) => {
      const { pages } = await open(t);
      await save(pages, "a's", { owner: A });
      for (let n = 1; n <= 5; n++) await save(pages, `b ${n}`, { owner: B, at: START + n });
      assert.equal(await seen(pages, sharing.viewerOf('a')), "a's");
      assert.equal(await pages.delete(URL, B), 3);
      assert.equal(await seen(pages, sharing.viewerOf('a')), "a's");
      assert.equal(await seen(pages, sharing.viewerOf('b')), undefined);
    });

    test('each owner has an entry of its own in the index, and only its own pages remove it', async (t) => {
      const { pages, feed } = await open(t);
      await save(pages, 'shared', { owner: SHARED });
      await save(pages, "a's", { owner: A });
      const gone = { ...samplePage('', START + 1), finalUrl: URL, status: 404, isVerified: true as const };
      const page = { key: URL, owner: A, url: URL, variant: DESKTOP, rank: 0, fetched: gone, expiresAt: START + 9 };
      await pages.save({ page, result: sampleResult('') });
      const changes = await feed.after(0, 10);
      assert.deepEqual(
        changes.map(({ owner, url, entry }) => [owner, url, entry === null]),
        [
          [SHARED, URL, false],
          [A, URL, true],
        ],
      );
    });
  });
}
