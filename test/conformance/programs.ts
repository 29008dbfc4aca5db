// Every ProgramStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_PROGRAMS } from '../../src/store/ports/pages/program-store.ts';
import { type OpenStore, START } from './samples.ts';

export function testProgramStore(adapter: string, open: OpenStore): void {
  describe(`ProgramStore on ${adapter}`, () => {
    test('a program is found by its team and key, and replaced by a newer one', async (t) => {
      const { programs, teams } = await open(t);
      const [{ id: mine }, { id: other }] = [await teams.ensureTeam('a', START), await teams.ensureTeam('b', START)];
      await programs.save(mine, 'key', 'first', START);
      await programs.save(mine, 'key', 'second', START);
      assert.equal(await programs.find(mine, 'key', START), 'second');
      assert.equal(await programs.find(other, 'key', START), undefined);
      assert.equal(await programs.find(mine, 'another', START), undefined);
    });

    test('the program that was not used for the longest time makes room', async (t) => {
      const { programs, teams } = await open(t);
      const { id } = await teams.ensureTeam('a', START);
      const keys = Array.from({ length: MAX_PROGRAMS }, (_, at) => `key ${at}`);
      await Promise.all(keys.map((key, at) => programs.save(id, key, '{}', START + at)));
      await programs.find(id, 'key 0', START + MAX_PROGRAMS);
      await programs.save(id, 'one more', '{}', START + MAX_PROGRAMS + 1);
      assert.equal(await programs.find(id, 'key 0', START), '{}');
      assert.equal(await programs.find(id, 'key 1', START), undefined);
      assert.equal(await programs.find(id, 'one more', START), '{}');
    });
  });
}
