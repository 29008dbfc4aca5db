// The files for containers and systemd name what exists: no builder is needed to see that a file was moved or renamed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../src/config/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const lines = (file: string) => read(file).split('\n');

test('everything that the image copies exists, and is not ignored', () => {
  const allowed = lines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const copied = lines('Dockerfile').flatMap((line) => {
    const words = line.split(' ');
    return words[0] === 'COPY' && !words[1]!.startsWith('--from') ? words.slice(1, -1) : [];
  });
  assert.ok(copied.length > 5);
  for (const path of copied) {
    assert.ok(existsSync(join(ROOT, path)), path);
    const isAllowed = allowed.some(
      (entry) => entry === path || entry.startsWith(`${path}/`) || path.startsWith(`${entry}/`),
    );
    assert.ok(isAllowed, `${path} is not in .dockerignore`);
  }
});

test('the full image has the system programs that a checkout installs', () => {
  const programs: Record<string, string[]> = JSON.parse(read('data/system-packages.json'));
  const dockerfile = read('Dockerfile');
  for (const name of Object.values(programs).flat()) assert.match(dockerfile, new RegExp(`\\b${name}\\b`));
});

test('the files name settings that exist', () => {
  const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
  for (const file of ['Dockerfile', 'compose.yaml', 'deploy/trawl.service']) {
    for (const [name] of read(file).matchAll(/\bTRAWL_\w+/g)) assert.ok(known.has(name), `${file}: ${name}`);
  }
});

test('the rules for system calls allow what the sandboxes need', () => {
  const { defaultAction, syscalls } = JSON.parse(read('deploy/seccomp.json'));
  assert.equal(defaultAction, 'SCMP_ACT_ALLOW');
  const forbidden = new Set(syscalls.flatMap(({ names }: { names: string[] }) => names));
  for (const name of ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'seccomp'])
    assert.ok(!forbidden.has(name), name);
  for (const name of ['bpf', 'init_module', 'kexec_load', 'open_by_handle_at']) assert.ok(forbidden.has(name), name);
});
