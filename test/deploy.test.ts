// The files for containers and systemd name what exists: no builder is needed to see that a file was moved or renamed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readConfig, SETTINGS } from '../src/config/settings.ts';

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
  for (const file of ['Dockerfile', 'compose.yaml', 'compose.cluster.yaml', 'deploy/trawl.service']) {
    for (const [name] of read(file).matchAll(/\bTRAWL_\w+/g)) assert.ok(known.has(name), `${file}: ${name}`);
  }
});

interface Composition {
  services: Record<string, ComposedService>;
  volumes: Record<string, unknown>;
  networks?: Record<string, unknown>;
}
interface ComposedService {
  image?: string;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
}

test('the composition for several machines publishes only Trawl, shares no data folder, and has no password of its own', () => {
  // `!override` and `!reset` tell how files are merged.
  const { services, volumes, networks } = parse(read('compose.cluster.yaml'), {
    customTags: ['!override', '!reset'].flatMap((tag) => [
      { tag, collection: 'seq' as const },
      { tag, resolve: () => null },
    ]),
  }) as Composition;
  assert.deepEqual(Object.keys(services), ['trawl', 'postgres', 'opensearch', 's3', 's3-bucket']);
  for (const [name, service] of Object.entries(services)) {
    const needed = service.depends_on ?? [];
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) assert.ok(services[other], other);
    for (const network of service.networks ?? []) assert.ok(network === 'default' || networks![network], network);
    const named = (service.volumes ?? []).filter((volume) => !volume.startsWith('/'));
    for (const volume of named) assert.ok(volume.split(':')[0]! in volumes, volume);
    assert.equal(service.ports !== undefined, name === 'trawl', `${name} is published`);
    if (name !== 'trawl') assert.match(service.image!, /:\d/, 'a version');
    for (const [setting, value] of Object.entries(service.environment ?? {}))
      if (/PASSWORD|SECRET/.test(setting)) assert.match(value, /^\$\{\w+:\?/, setting);
  }
  const { trawl } = services;
  assert.ok(trawl!.ports!.every((port) => port.startsWith('127.0.0.1:')));
  assert.ok(trawl!.volumes!.every((volume) => !volume.includes(':')));
  const {
    TRAWL_BLOBS_URL = '',
    TRAWL_DATABASE_URL = '',
    TRAWL_INDEX_URL = '',
    TRAWL_SECRET = '',
  } = trawl!.environment!;
  const filled = (text: string) => text.replaceAll(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef'.repeat(4));
  const config = readConfig({
    ...{ TRAWL_BLOBS_URL: filled(TRAWL_BLOBS_URL), TRAWL_DATABASE_URL: filled(TRAWL_DATABASE_URL) },
    ...{ TRAWL_INDEX_URL, TRAWL_SECRET: filled(TRAWL_SECRET) },
  });
  assert.deepEqual([config.blobs?.origin, config.blobs?.bucket], ['http://s3:8333', 'trawl']);
});

test('the rules for system calls allow what the sandboxes need', () => {
  const { defaultAction, syscalls } = JSON.parse(read('deploy/seccomp.json'));
  assert.equal(defaultAction, 'SCMP_ACT_ALLOW');
  const forbidden = new Set(syscalls.flatMap(({ names }: { names: string[] }) => names));
  for (const name of ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'seccomp'])
    assert.ok(!forbidden.has(name), name);
  for (const name of ['bpf', 'init_module', 'kexec_load', 'open_by_handle_at']) assert.ok(forbidden.has(name), name);
});
