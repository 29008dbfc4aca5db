// Files behind links: large ones, after a restart, and what happens without the secret that signs the links.
import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Capture } from '../../src/page/captures.ts';
import { readSecret } from '../../src/store/data-folder/data-secret.ts';
import { noise } from '../conformance/samples.ts';
import { keepFiles } from '../support/kept-files.ts';
import { type RunningService, startService } from '../support/service.ts';

const LARGE = 50_000_000;
const PICTURE = { bytes: noise(90_000), type: 'image/png' } satisfies Capture;

let dataDir: string;
let service: RunningService;
let links: Record<'picture' | 'large', string>;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-files-'));
  links = await keepFiles(dataDir, async (save) => ({
    picture: await save(PICTURE),
    large: await save({ bytes: noise(LARGE), type: 'image/jpeg' }),
  }));
  service = await startService({ TRAWL_DATA_DIR: dataDir });
});
after(async () => {
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Fetches without a key. */
const get = (link: string) => fetch(new URL(link, service.url));

test('a file of 50 MB arrives complete, while other requests are answered', async () => {
  const [large, ...others] = await Promise.all([
    get(links.large).then((response) => response.bytes()),
    ...Array.from({ length: 5 }, () => get(links.picture).then((response) => response.bytes())),
  ]);
  assert.ok(Buffer.from(large).equals(noise(LARGE)));
  for (const other of others) assert.deepEqual(other, PICTURE.bytes);
});

test('a link still works after a restart', async () => {
  await service.stop();
  service = await startService({ TRAWL_DATA_DIR: dataDir });
  assert.deepEqual(await (await get(links.picture)).bytes(), PICTURE.bytes);
});

test('a service with a truncated secret does not start, and says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-files-'));
  try {
    readSecret(folder);
    await truncate(join(folder, 'secret'), 5);
    await assert.rejects(startService({ TRAWL_DATA_DIR: folder }), /secret must have 32 bytes and has 5/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
