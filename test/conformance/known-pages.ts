// Every PageStore adapter passes these tests on listing the pages it has cached.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VerdictKind } from '../../src/page/page.ts';
import { SHARED } from '../../src/page/page-owner.ts';
import type { PageStore } from '../../src/store/ports/pages/page-store.ts';
import { sha256 } from '../../src/util/hash.ts';
import {
  DESKTOP,
  HOUR,
  noise,
  type OpenStore,
  START,
  sampleOutcome,
  samplePage,
  sampleResult,
  VIEWER,
} from './samples.ts';

interface KnownSketch {
  key?: string;
  at?: number;
  status?: number;
  verdict?: VerdictKind;
  expiresAt?: number;
  title?: string | string[];
  description?: string;
}

function savePage(pages: PageStore, url: string, sketch: KnownSketch): Promise<string> {
  const { key = url, at = START, status = 200, verdict = 'content', expiresAt = null, title, description } = sketch;
  const metadata = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  const outcome = { ...sampleOutcome(''), metadata, verdict: { kind: verdict, reason: '' } };
  const fetched = { ...samplePage('', at), status };
  return pages.save({
    page: { owner: SHARED, key, url, variant: DESKTOP, rank: 0, fetched, expiresAt },
    result: { ...sampleResult(''), outcome },
  });
}

export function testKnownPages(adapter: string, open: OpenStore): void {
  describe(`PageStore on ${adapter}: known pages`, () => {
    test('the cached pages of a host are listed once each, newest first', async (t) => {
      const { pages } = await open(t);
      await savePage(pages, 'http://site.test/old', { at: START - 3, title: 'Old' });
      await savePage(pages, 'http://site.test/twice', { at: START - 2, title: 'First' });
      await savePage(pages, 'http://site.test/new', {
        at: START - 1,
        title: ['New', 'page'],
        description: 'All of it.',
      });
      await savePage(pages, 'http://site.test/twice', { at: START, title: 'Second' });
      await savePage(pages, 'http://site.test/twice', { at: START - 4, title: 'Mobile', key: 'mobile' });
      await savePage(pages, 'http://other.test/', {});
      const known = (limit: number) => pages.known({ viewer: VIEWER, host: 'site.test', subdomains: false, limit });
      assert.deepEqual(await known(10), [
        { url: 'http://site.test/twice', title: 'Second' },
        { url: 'http://site.test/new', title: 'New, page', description: 'All of it.' },
        { url: 'http://site.test/old', title: 'Old' },
      ]);
      assert.equal((await known(2)).at(-1)?.url, 'http://site.test/new');
      await pages.delete('http://site.test/twice', SHARED);
      assert.equal((await known(10)).length, 2);
      assert.deepEqual(await pages.known({ viewer: VIEWER, host: 'nowhere.test', subdomains: true, limit: 10 }), []);
    });

    test('URLs of any length, with one end or another, are pages of their own', async (t) => {
      const { pages, stored } = await open(t);
      // What does not compress, as in a token.
      const start = `http://site.test/${Buffer.from(noise(8_000)).toString('hex')}`;
      const urls = ['a', 'b', 'c'].map((end) => `${start}${end}`);
      const shortUrl = 'http://site.test/short';
      const save = (url: string, finalUrl: string) => {
        const fetched = { ...samplePage(url), finalUrl, isVerified: true as const };
        const entry = new TextEncoder().encode(JSON.stringify({ text: url }));
        const facts = { owner: SHARED, key: sha256(url), url, variant: DESKTOP, rank: 0, expiresAt: null };
        return pages.save({ page: { ...facts, fetched, entry }, result: sampleResult(url) });
      };
      for (const url of [...urls, shortUrl]) {
        await save(url, url);
        await save(`${url}?from`, url);
      }
      const known = await pages.known({ viewer: VIEWER, host: 'site.test', subdomains: false, limit: 10 });
      assert.equal(known.length, 8);
      const listed: string[] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const list = await stored.list({
          viewer: VIEWER,
          teamId: 't',
          seesAll: true,
          host: 'site.test',
          after,
          limit: 1,
        });
        listed.push(...list.pages.map(({ url }) => url));
        after = list.next;
      }
      assert.deepEqual(listed.toSorted(), [...urls, shortUrl].toSorted());
      assert.deepEqual(await pages.redirects([`${urls[0]}?from`, urls[1]!], VIEWER), { [`${urls[0]}?from`]: urls[0] });
      assert.equal((await stored.find(urls[1]!, VIEWER, 't'))?.copies, 2);
      assert.equal(await pages.delete(urls[1]!, SHARED), 2);
      assert.equal(await stored.find(urls[1]!, VIEWER, 't'), undefined);
      assert.equal((await stored.find(urls[2]!, VIEWER, 't'))?.copies, 2);
      assert.equal((await pages.variants(urls[2]!, VIEWER, START)).length, 1);
    });

    test('titles and descriptions come back with their NUL characters', async (t) => {
      const { pages, stored } = await open(t);
      const url = 'http://site.test/nul';
      await savePage(pages, url, { title: 'a\0b', description: '\u0001\0\u0002' });
      const known = await pages.known({ viewer: VIEWER, host: 'site.test', subdomains: false, limit: 10 });
      assert.deepEqual(known, [{ url, title: 'a\0b', description: '\u0001\0\u0002' }]);
      assert.deepEqual((await stored.find('http://site.test/\0', VIEWER, 't\0'))?.url, undefined);
    });

    test('pages of subdomains are listed on request, those of similar host names are not', async (t) => {
      const { pages } = await open(t);
      const hosts = [
        'site.test',
        'www.site.test',
        'a.b.site.test',
        'mysite.test',
        'site.test.evil.test',
        'site-x.test',
      ];
      for (const host of [...hosts, 'site.test:8080', 'www.site.test:8080'])
        await savePage(pages, `http://${host}/`, {});
      const known = async (host: string, subdomains: boolean) =>
        (await pages.known({ viewer: VIEWER, host, subdomains, limit: 100 }))
          .map(({ url }) => new URL(url).host)
          .sort();
      assert.deepEqual(await known('site.test', false), ['site.test']);
      assert.deepEqual(await known('site.test', true), ['a.b.site.test', 'site.test', 'www.site.test']);
      assert.deepEqual(await known('site.test:8080', true), ['site.test:8080', 'www.site.test:8080']);
      assert.deepEqual(await known('www.site.test', true), ['www.site.test']);
    });

    test('error pages, login walls and short-lived pages are not listed', async (t) => {
      const { pages } = await open(t);
      await savePage(pages, 'http://site.test/missing', { status: 404 });
      await savePage(pages, 'http://site.test/wall', { verdict: 'login-wall' });
      await savePage(pages, 'http://site.test/moment', { expiresAt: START + HOUR });
      await savePage(pages, 'http://site.test/long', {
        title: `${'x'.repeat(999)}😀`,
        description: 'y'.repeat(2_000),
      });
      const known = await pages.known({ viewer: VIEWER, host: 'site.test', subdomains: true, limit: 10 });
      assert.deepEqual(known, [
        { url: 'http://site.test/long', title: 'x'.repeat(999), description: 'y'.repeat(1_000) },
      ]);
    });
  });
}
