// Every ChunkVectorStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UNUSED_VECTORS_MS } from '../../src/store/ports/pages/chunk-vector-store.ts';
import { type OpenStore, START } from './samples.ts';

const KEY = { site: 'a.test', page: 'hash' };
const [FIRST, SECOND] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
const read = (bytes: Uint8Array | undefined) => bytes && [...bytes];

export function testChunkVectorStore(adapter: string, open: OpenStore): void {
  describe(`ChunkVectorStore on ${adapter}`, () => {
    test('the vectors of a page are those that were kept last, and known to their team alone', async (t) => {
      const { chunkVectors, teams } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      await chunkVectors.put(mine, KEY, FIRST, START);
      await chunkVectors.put(mine, KEY, SECOND, START);
      assert.deepEqual(read(await chunkVectors.find(mine, KEY, START)), [4]);
      assert.equal(await chunkVectors.find(other, KEY, START), undefined);
      assert.equal(await chunkVectors.find(mine, { ...KEY, page: 'another' }, START), undefined);
      assert.equal(await chunkVectors.find(mine, { ...KEY, site: 'b.test' }, START), undefined);
    });

    test('the vectors of a site go with its pages, from the team that deletes them', async (t) => {
      const { chunkVectors, stored, teams } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      const neighbour = { ...KEY, site: 'a.test.example' };
      for (const team of [mine, other])
        for (const key of [KEY, neighbour]) await chunkVectors.put(team, key, FIRST, START);
      await stored.removeOfHost('www.a.test', { owners: [], teamId: mine, now: START }, '', 10);
      assert.equal(await chunkVectors.find(mine, KEY, START), undefined);
      assert.deepEqual(read(await chunkVectors.find(mine, neighbour, START)), [1, 2, 3]);
      assert.deepEqual(read(await chunkVectors.find(other, KEY, START)), [1, 2, 3]);
    });

    test('vectors that were not used for long go', async (t) => {
      const { chunkVectors, teams, pages } = await open(t);
      const { id } = await teams.ensureTeam('a', START);
      const used = { ...KEY, page: 'used' };
      for (const key of [KEY, used]) await chunkVectors.put(id, key, FIRST, START);
      const later = START + UNUSED_VECTORS_MS;
      assert.ok(await chunkVectors.find(id, used, later));
      await pages.sweep(later + 1);
      assert.ok(await chunkVectors.find(id, used, later));
      assert.equal(await chunkVectors.find(id, KEY, later), undefined);
    });
  });
}
