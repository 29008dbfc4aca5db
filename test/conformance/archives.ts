// Every ArchiveStore adapter passes these tests.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { NewArchive, NewExchange } from '../../src/store/ports/files/archive-store.ts';
import { type OpenStore, START } from './samples.ts';

const LARGE = 'x'.repeat(200_000);

const exchange = (path: string, text: string, at = START): NewExchange => {
  const body = Buffer.from(text);
  return {
    ...{ url: `http://site.test${path}`, method: 'GET', at, status: 200, type: 'text/html', isTruncated: false },
    request: Buffer.from('GET'),
    response: Buffer.from('HTTP/1.1 200 OK'),
    body,
    digest: createHash('sha256').update(body).digest('hex'),
  };
};
const archive = (id: string, teamId: string, more: Partial<NewArchive> = {}): NewArchive => ({
  ...{ id, teamId, kind: 'scrape', name: 'http://site.test/', createdAt: START, expiresAt: START + 1_000 },
  ...more,
});
const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

export function testArchiveStore(adapter: string, open: OpenStore): void {
  describe(`ArchiveStore on ${adapter}`, () => {
    test('exchanges come back in their order, and the index in that of its keys', async (t) => {
      const { archives, teams } = await open(t);
      const { id: team } = await teams.ensureTeam('a', START);
      await archives.add(archive('1', team), 'page', [
        exchange('/b', LARGE),
        exchange('/a', 'small'),
        exchange('/c', LARGE),
      ]);
      const kept = await archives.exchanges('1', 0, 10);
      assert.deepEqual(
        kept.map(({ url, size, first }) => [url, size, first?.url]),
        [
          ['http://site.test/b', LARGE.length, undefined],
          ['http://site.test/a', 5, undefined],
          ['http://site.test/c', LARGE.length, 'http://site.test/b'],
        ],
      );
      assert.equal(kept[0]!.payload, kept[2]!.payload);
      assert.equal(textOf(await archives.payload(kept[0]!.payload!)), LARGE);
      const [first, ...others] = await archives.keys('1', undefined, 10);
      assert.deepEqual(
        [first!, ...others].map(({ key }) => key),
        ['test,site)/a', 'test,site)/b', 'test,site)/c'],
      );
      assert.deepEqual(await archives.keys('1', first, 10), others);
      assert.deepEqual((await archives.find('1', team, START))!.bytes, LARGE.length + 5);
    });

    test('a part that is added again replaces itself', async (t) => {
      const { archives, teams } = await open(t);
      const { id: team } = await teams.ensureTeam('a', START);
      await archives.add(archive('1', team), 'page', [exchange('/', 'one')]);
      await archives.add(archive('1', team), 'other', [exchange('/other', 'other')]);
      await archives.add(archive('1', team), 'page', [exchange('/', 'two')]);
      const found = await archives.exchanges('1', 0, 10);
      const texts = await Promise.all(found.map(({ payload }) => archives.payload(payload!)));
      assert.deepEqual(texts.map(textOf), ['other', 'two']);
    });

    test('a payload goes with the last record that has it, and an archive with its time', async (t) => {
      const { archives, teams, pages } = await open(t);
      const { id: team } = await teams.ensureTeam('a', START);
      await archives.add(archive('1', team), 'page', [exchange('/', LARGE)]);
      await archives.add(archive('2', team, { expiresAt: START + 5_000 }), 'page', [exchange('/', LARGE)]);
      const [{ payload } = assert.fail()] = await archives.exchanges('2', 0, 1);
      await pages.sweep(START + 2_000);
      assert.equal(await archives.find('1', team, START), undefined);
      assert.equal(textOf(await archives.payload(payload!)), LARGE);
      assert.equal(await archives.find('2', team, START + 5_000), undefined);
      assert.equal(await archives.remove('2', team), true);
      assert.equal(await archives.payload(payload!), undefined);
      assert.equal(await archives.remove('2', team), false);
    });

    test('a page that is deleted leaves its address, its time and its digest', async (t) => {
      const { archives, teams } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      for (const [id, team] of [
        ['1', mine],
        ['2', other],
      ] as const)
        await archives.add(archive(id, team), 'page', [exchange('/', 'one'), exchange('/two', 'two')]);
      assert.equal(await archives.removeUrls(mine, ['http://site.test/']), 1);
      const [note] = await archives.exchanges('1', 0, 1);
      assert.deepEqual(
        [note!.url, note!.at, note!.digest, note!.payload],
        ['http://site.test/', START, exchange('/', 'one').digest, undefined],
      );
      assert.equal((await archives.find('1', mine, START))!.removed, 1);
      assert.deepEqual(
        (await archives.keys('1', undefined, 10)).map(({ url }) => url),
        ['http://site.test/two'],
      );
      assert.equal(await archives.removeHost(mine, 'site.test'), 1);
      assert.equal(await archives.removeHost(mine, 'site.tes'), 0);
      assert.equal((await archives.find('2', other, START))!.removed, 0);
    });

    test('archives belong to their team, and are listed from the newest to the oldest', async (t) => {
      const { archives, teams } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      for (const id of ['1', '2', '3']) await archives.add(archive(id, mine), 'page', [exchange('/', id)]);
      assert.equal(await archives.find('1', other, START), undefined);
      assert.equal(await archives.remove('1', other), false);
      const first = await archives.list(mine, START, { limit: 2 });
      assert.deepEqual(
        first.map(({ id }) => id),
        ['3', '2'],
      );
      assert.deepEqual(
        (await archives.list(mine, START, { limit: 2, before: '2' })).map(({ id }) => id),
        ['1'],
      );
      assert.deepEqual(await archives.list(other, START, { limit: 2 }), []);
    });
  });
}
