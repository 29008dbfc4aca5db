// Kills the process repeatedly while it writes: no acknowledged write is lost, and none is half-done.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Store } from '../../src/store/ports/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { creditsSince, markdownOf, noise, queryFor, START } from '../conformance/samples.ts';
import { folderProblems } from './data-folder.ts';
import { KILLS, SEED, writeUntilKilled } from './write-until-killed.ts';

const UNLIMITED = 1_000_000_000;
const WRITER = join(import.meta.dirname, 'store-writer.ts');

async function assertScrapesAreThere(store: Store, numbers: number[]) {
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  for (const number of numbers) {
    const found = await store.scrapes.find(`scrape ${number}`, teamId, START);
    assert.equal(markdownOf(found?.outcome), `result ${number}`, `scrape ${number}`);
  }
  assert.ok((await creditsSince(store, teamId, START)) >= numbers.length);
}

async function assertPagesAreThere(store: Store, numbers: number[]) {
  for (const number of numbers) {
    const found = await store.pages.find(queryFor(`key ${number}`, { transformKey: 'another' }));
    assert.ok(found && 'bytes' in found, `page ${number}`);
    assert.ok(Buffer.from(found.bytes).equals(noise(found.bytes.length, number)), `page ${number}`);
  }
}

for (const [name, cacheMaxBytes] of [
  ['with room', UNLIMITED],
  ['while pages are evicted', 1_000_000],
] as const) {
  test(`a killed store ${name} has everything it acknowledged (seed ${SEED})`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'trawl-kill-'));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const acknowledged: number[] = [];
    for (const [round, [acknowledgements, delayMs]] of KILLS.entries()) {
      const args = [WRITER, dataDir, String(round * 10_000 + 1), String(cacheMaxBytes)];
      acknowledged.push(...(await writeUntilKilled(args, acknowledgements, delayMs)));
      const store = await openSqliteStore({ dataDir, cacheMaxBytes });
      t.after(() => store.close());
      assert.deepEqual(folderProblems(dataDir), []);
      await assertScrapesAreThere(store, acknowledged);
      if (cacheMaxBytes === UNLIMITED) await assertPagesAreThere(store, acknowledged);
      await store.close();
    }
    t.diagnostic(`${acknowledged.length} writes were acknowledged before ${KILLS.length} kills`);
  });
}
