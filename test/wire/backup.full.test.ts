// Backups of a larger folder, all ways in which a backup can be damaged or in the way, and the doctor on damaged folders.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkBackup, trawl, useBackups } from '../support/backups.ts';

const scene = useBackups(60);

test('what was answered before a backup began is in it, though the service kept working', () => checkBackup(scene));

test('the doctor examines the folder of a running service, in words and as JSON', async () => {
  const { code, out, err } = await trawl(scene.dataDir, 'doctor', '--json');
  assert.equal(code, 0, out + err);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { check: string; state: string; text: string }[] };
  assert.equal(ok, true);
  const byName = new Map(checks.map((finding) => [finding.check, finding]));
  for (const name of ['versions', 'data folder', 'secret', 'disk', 'store version', 'store', 'blobs', 'clock', 'index'])
    assert.equal(byName.get(name)?.state, 'ok', `${name}: ${out}`);
  for (const name of ['browser', 'OCR', 'media', 'confinement', 'providers', 'network'])
    assert.ok(byName.has(name), name);
  assert.match(byName.get('service')!.text, /^a service is using/);
});

test('the doctor finds what is damaged, and a service does not start with it', async () => {
  const damaged = mkdtempSync(join(scene.folder, 'damaged-'));
  writeFileSync(join(damaged, 'store.db'), 'not a database '.repeat(1_000));
  const found = await trawl(damaged, 'doctor');
  assert.equal(found.code, 1);
  assert.match(found.out, /FAIL {2}store +.*store\.db cannot be read \(file is not a database\)\n +Stop the service/);
  const start = await trawl(damaged);
  assert.equal(start.code, 1);
  assert.match(start.err, /store\.db cannot be opened \(file is not a database\)\. Run `trawl doctor`/);
  rmSync(damaged, { recursive: true });
  assert.match((await trawl(scene.dataDir, 'doctor', '--wrong')).err, /^There is no flag --wrong/);
});

test('a backup overwrites nothing, and a restore takes only an empty folder', async () => {
  assert.match((await trawl(scene.dataDir, 'backup', scene.backup)).err, /exists already/);
  const busy = await trawl(scene.dataDir, 'restore', scene.backup);
  assert.equal(busy.code, 1);
  assert.match(busy.err, /is not empty\. Stop the service/);
  assert.match(
    (await trawl(join(scene.folder, 'none'), 'backup', join(scene.folder, 'other'))).err,
    /nothing to back up/,
  );
  assert.match((await trawl(scene.dataDir, 'backup')).err, /^Usage: trawl backup/);
});

test('a damaged backup is refused and leaves nothing behind', async () => {
  const target = join(scene.folder, 'target');
  const refused = async (words: RegExp) => {
    const { code, err } = await trawl(target, 'restore', scene.backup);
    assert.equal(code, 1);
    assert.match(err, words);
    assert.ok(!existsSync(target));
  };
  const store = join(scene.backup, 'store.db');
  const whole = readFileSync(store);
  appendFileSync(store, 'x');
  await refused(/store\.db is damaged: its checksum/);
  rmSync(store);
  await refused(/store\.db cannot be read \(ENOENT\)/);
  writeFileSync(store, whole);
  const list = join(scene.backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(list, 'utf8'));
  writeFileSync(list, JSON.stringify({ ...manifest, schema: 9_999 }));
  await refused(/newer version of Trawl/);
  writeFileSync(list, JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../../outside' }] }));
  await refused(/damaged or of another version/);
  assert.deepEqual(readdirSync(scene.folder).sort(), ['backup', 'restored']);
});
