// The process is killed in the middle of its writes, again and again: nothing acknowledged is lost, nothing is left half-done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { noise, queryFor, START } from '../conformance/samples.ts';

const SEED = 20260105;
// A kill comes so many milliseconds after so many acknowledgements; the first one in the middle of the start.
const KILLS = [[0, 100], ...fc.sample(fc.noBias(fc.tuple(fc.nat(120), fc.nat(20))), { seed: SEED, numRuns: 5 })] as [
  acknowledgements: number,
  delayMs: number,
][];
const UNLIMITED = 1_000_000_000;
const WRITER = join(import.meta.dirname, 'store-writer.ts');

/** Lets a writer acknowledge so many writes and go on for a moment, kills it, and returns the numbers acknowledged. */
async function writeUntilKilled(args: string[], acknowledgements: number, delayMs: number): Promise<number[]> {
  const writer = spawn(process.execPath, [WRITER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'close');
  let output = '';
  const enough = Promise.withResolvers<void>();
  writer.stdout.on('data', (text) => {
    output += text;
    if (output.split('\n').length > acknowledgements) enough.resolve();
  });
  if (acknowledgements > 0) await Promise.race([enough.promise, ended]);
  await delay(delayMs);
  writer.kill('SIGKILL');
  assert.equal((await ended)[1], 'SIGKILL', 'the writer must not end by itself');
  // The last line may have been cut off.
  return output.split('\n').slice(0, -1).map(Number);
}

async function assertScrapesAreThere(store: Store, numbers: number[]) {
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  for (const number of numbers) {
    const found = await store.scrapes.find(`scrape ${number}`, teamId, START);
    assert.equal(found?.outcome.content.markdown, `result ${number}`, `scrape ${number}`);
  }
  assert.ok((await store.teams.creditsSince(teamId, START)) >= numbers.length);
}

async function assertPagesAreThere(store: Store, numbers: number[]) {
  for (const number of numbers) {
    const found = await store.pages.find(queryFor(`key ${number}`, { transformKey: 'another' }));
    assert.ok(found && 'bytes' in found, `page ${number}`);
    assert.ok(Buffer.from(found.bytes).equals(noise(found.bytes.length, number)), `page ${number}`);
  }
}

function assertFolderIsWhole(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  assert.deepEqual(column('PRAGMA integrity_check'), ['ok']);
  assert.deepEqual(column('PRAGMA foreign_key_check'), []);
  const named = column('SELECT blob FROM bodies WHERE blob IS NOT NULL ORDER BY blob');
  const orphans = `SELECT id FROM bodies WHERE id NOT IN (SELECT body_id FROM pages UNION SELECT body_id FROM results)`;
  assert.deepEqual(column(orphans), []);
  database.close();
  const files = readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    files
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
    named,
  );
}

for (const [name, cacheMaxBytes] of [
  ['with room', UNLIMITED],
  ['while pages are evicted', 1_000_000],
] as const) {
  test(`a killed store ${name} keeps all it had acknowledged (seed ${SEED})`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'trawl-kill-'));
    t.after(() => rmSync(dataDir, { recursive: true }));
    const acknowledged: number[] = [];
    for (const [round, [acknowledgements, delayMs]] of KILLS.entries()) {
      const args = [dataDir, String(round * 10_000 + 1), String(cacheMaxBytes)];
      acknowledged.push(...(await writeUntilKilled(args, acknowledgements, delayMs)));
      const store = await openSqliteStore({ dataDir, cacheMaxBytes });
      t.after(() => store.close());
      assertFolderIsWhole(dataDir);
      await assertScrapesAreThere(store, acknowledged);
      if (cacheMaxBytes === UNLIMITED) await assertPagesAreThere(store, acknowledged);
      await store.close();
    }
    t.diagnostic(`${acknowledged.length} writes were acknowledged before ${KILLS.length} kills`);
  });
}
