// The `keys` command works in another process, on the data folder of a running service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { creditsSince, START, sampleCharge } from '../../conformance/samples.ts';
import { openTemporaryStore, temporaryFolder } from './temporary-folder.ts';

const KEYS_PROCESS = join(import.meta.dirname, 'keys-process.ts');

const runKeys = async (dataDir: string, ...command: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [KEYS_PROCESS, dataDir, ...command])).stdout;

test('a key added or revoked by another process takes effect at once', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  assert.equal(await store.teams.findByKey('hash-0', START), undefined);
  await runKeys(dataDir, 'add', '1');
  assert.equal((await store.teams.findByKey('hash-0', START))?.team.name, 'default');
  await runKeys(dataDir, 'revoke', 'fc-0');
  assert.equal(await store.teams.findByKey('hash-0', START), undefined);
});

test('the service and another process may write at the same time', async (t) => {
  const { dataDir, store } = await openTemporaryStore(t);
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  let isRunning = true;
  const writing = (async () => {
    let written = 0;
    for (; isRunning; written++) await store.ledger.add(sampleCharge(teamId));
    return written;
  })();
  assert.equal(await runKeys(dataDir, 'add', '50'), '50');
  isRunning = false;
  const written = await writing;
  assert.equal(await creditsSince(store, teamId, START), written);
  assert.equal((await store.teams.listKeys()).length, 50);
});

test('a first key can be created before the service has ever started', async (t) => {
  const dataDir = temporaryFolder(t);
  await runKeys(dataDir, 'add', '1');
  const { store } = await openTemporaryStore(t, { dataDir });
  assert.ok(await store.teams.findByKey('hash-0', START));
});
