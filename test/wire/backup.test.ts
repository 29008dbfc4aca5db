// A backup is made while the service works, holds everything that was answered before it began, and can be put back.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBackup, openRestore } from '../../src/compose/commands/backup.ts';
import { readConfig } from '../../src/config/settings.ts';
import { checkBackup, useBackups } from '../support/backups.ts';

const scene = useBackups(12);
const configOf = (dataDir: string) => readConfig({ TRAWL_DATA_DIR: dataDir });
const restore = async (dataDir: string) => openRestore(configOf(dataDir), () => {}).restore(scene.backup);

test('what was answered before a backup began is in it, though the service kept working', () => checkBackup(scene));

test('a backup overwrites nothing, and a restore takes only an empty folder', async () => {
  const { backup } = openBackup(configOf(scene.dataDir), () => {});
  await assert.rejects(async () => backup(scene.backup, false), /exists already/);
  await assert.rejects(restore(scene.dataDir), /is not empty\. Stop the service/);
});

test('a damaged backup is refused and leaves nothing behind', async () => {
  const target = join(scene.folder, 'target');
  appendFileSync(join(scene.backup, 'store.db'), 'x');
  await assert.rejects(restore(target), /store\.db is damaged: its checksum/);
  assert.ok(!existsSync(target));
});
