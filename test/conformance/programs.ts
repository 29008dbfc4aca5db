// Every ProgramStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_PROGRAMS, type ProgramKey } from '../../src/store/ports/pages/program-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { type OpenStore, START } from './samples.ts';

const KEY = { site: 'a.test', asked: 'hash' };
const add = ({ programs }: Store, team: string, key: ProgramKey, value = '{}', at = START) =>
  programs.replace(team, key, undefined, value, at);

export function testProgramStore(adapter: string, open: OpenStore): void {
  describe(`ProgramStore on ${adapter}`, () => {
    test('a program is found by its team, site and request', async (t) => {
      const store = await open(t);
      const { programs, teams } = store;
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      assert.equal(await add(store, mine, KEY, 'first'), true);
      assert.equal(await programs.find(mine, KEY, START), 'first');
      assert.equal(await programs.find(other, KEY, START), undefined);
      assert.equal(await programs.find(mine, { ...KEY, asked: 'another' }, START), undefined);
      assert.equal(await programs.find(mine, { ...KEY, site: 'b.test' }, START), undefined);
    });

    test('a program is replaced only by who has seen it last, and only one of several adds it', async (t) => {
      const store = await open(t);
      const { programs, teams } = store;
      const { id } = await teams.ensureTeam('a', START);
      const added = await Promise.all(['1', '2', '3', '4'].map((value) => add(store, id, KEY, value)));
      assert.equal(added.filter((isAdded) => isAdded).length, 1);
      const kept = await programs.find(id, KEY, START);
      const replaced = await Promise.all(['5', '6', '7'].map((after) => programs.replace(id, KEY, kept, after, START)));
      assert.equal(replaced.filter((isReplaced) => isReplaced).length, 1);
      assert.equal(await programs.replace(id, KEY, kept, 'late', START), false);
    });

    test('what was learnt on a site goes with its pages, from the team that deletes them', async (t) => {
      const store = await open(t);
      const { programs, stored, teams } = store;
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      const neighbour = { ...KEY, site: 'a.test.example' };
      for (const team of [mine, other]) for (const key of [KEY, neighbour]) await add(store, team, key);
      await add(store, mine, { ...KEY, asked: 'second' });
      await stored.removeOfHost('www.a.test', { owners: [], teamId: mine, now: START }, '', 10);
      assert.equal(await programs.find(mine, KEY, START), undefined);
      assert.equal(await programs.find(mine, { ...KEY, asked: 'second' }, START), undefined);
      assert.equal(await programs.find(mine, neighbour, START), '{}');
      assert.equal(await programs.find(other, KEY, START), '{}');
      assert.equal(await programs.replace(mine, KEY, '{}', 'of a page that was read before', START), false);
    });

    test('the program that was not used for the longest time makes room', async (t) => {
      const store = await open(t);
      const { programs, teams } = store;
      const { id } = await teams.ensureTeam('a', START);
      const keyOf = (at: number) => ({ site: `${at}.test`, asked: 'hash' });
      const all = Array.from({ length: MAX_PROGRAMS }, (_, at) => at);
      await Promise.all(all.map((at) => add(store, id, keyOf(at), '{}', START + at)));
      await programs.find(id, keyOf(0), START + MAX_PROGRAMS);
      await add(store, id, keyOf(MAX_PROGRAMS), '{}', START + MAX_PROGRAMS + 1);
      assert.equal(await programs.find(id, keyOf(0), START), '{}');
      assert.equal(await programs.find(id, keyOf(1), START), undefined);
      assert.equal(await programs.find(id, keyOf(MAX_PROGRAMS), START), '{}');
    });
  });
}
