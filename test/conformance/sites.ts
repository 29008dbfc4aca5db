// Every SiteMemoryStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPageSharing } from '../../src/page/page-owner.ts';
import { countPages, type LearntPage, readSiteMemory } from '../../src/page/site-memory.ts';
import { MAX_SITES, type SiteMemoryStore } from '../../src/store/ports/pages/site-memory-store.ts';
import { type OpenStore, START } from './samples.ts';

const isolated = createPageSharing({ isolatesTeams: true });
const [MINE, OTHERS] = [isolated.ownerOfAnswers('a'), isolated.ownerOfAnswers('b')];
const NEVER_LEARNT = 0;
const sampleTexts = (url: number): LearntPage => ({ url, texts: Uint32Array.of(url, 1_000), at: START + url * 60_000 });
const learn = (sites: SiteMemoryStore, site: string, ...urls: number[]) =>
  sites.learn(MINE, site, urls.map(sampleTexts), START);

const pagesOf = async (sites: SiteMemoryStore, owner: typeof MINE, site: string) => {
  const bytes = await sites.find(owner, site);
  return bytes && countPages(readSiteMemory(bytes), NEVER_LEARNT);
};

export function testSiteMemoryStore(adapter: string, open: OpenStore): void {
  describe(`SiteMemoryStore on ${adapter}`, () => {
    test('what is learnt is added up, and known to its owner and of its site alone', async (t) => {
      const { sites } = await open(t);
      assert.equal(await pagesOf(sites, MINE, 'a.test'), undefined);
      await learn(sites, 'a.test', 1, 2);
      const bytes = await learn(sites, 'a.test', 3);
      assert.equal(countPages(readSiteMemory(bytes), NEVER_LEARNT), 3);
      assert.equal(await pagesOf(sites, MINE, 'a.test'), 3);
      assert.equal(await pagesOf(sites, MINE, 'b.test'), undefined);
      assert.equal(await pagesOf(sites, OTHERS, 'a.test'), undefined);
    });

    test('what several processes learn at once is all there', async (t) => {
      const { sites } = await open(t);
      const urls = Array.from({ length: 12 }, (_, at) => at + 1);
      await Promise.all(urls.map((url) => learn(sites, 'a.test', url)));
      assert.equal(await pagesOf(sites, MINE, 'a.test'), urls.length);
    });

    test('of too many sites, those that were learnt longest ago go', async (t) => {
      const { sites, pages } = await open(t);
      const extra = 3;
      const count = MAX_SITES + extra;
      for (let from = 0; from < count; from += 500) {
        const group = Array.from({ length: Math.min(500, count - from) }, (_, at) => from + at);
        await Promise.all(group.map((at) => sites.learn(MINE, `${at}.test`, [sampleTexts(1)], START + at)));
      }
      await pages.sweep(START);
      assert.equal(await pagesOf(sites, MINE, `${extra - 1}.test`), undefined);
      assert.equal(await pagesOf(sites, MINE, `${extra}.test`), 1);
    });

    test('a site is forgotten when pages of it are deleted by somebody who may', async (t) => {
      const { sites, stored } = await open(t);
      await learn(sites, 'a.test', 1);
      await learn(sites, 'b.test', 1);
      const others = { owners: isolated.removableBy('b', false), teamId: 'b', now: START };
      await stored.removeOfHost('a.test', others, '', 10);
      assert.equal(await pagesOf(sites, MINE, 'a.test'), 1);
      const mine = { owners: isolated.removableBy('a', false), teamId: 'a', now: START };
      await stored.removeOfHost('www.a.test', mine, '', 10);
      assert.equal(await pagesOf(sites, MINE, 'a.test'), undefined);
      await stored.remove(['http://b.test/any'], mine);
      assert.equal(await pagesOf(sites, MINE, 'b.test'), undefined);
    });
  });
}
