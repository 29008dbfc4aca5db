// Signed links to files: they cannot be forged or changed, and every failure looks the same from outside.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { asDataUri, createFileLinks, type FileLinks } from '../../../src/operations/files.ts';
import { DAY, noise, START } from '../../conformance/samples.ts';
import { openTemporaryStore } from '../store/temporary-folder.ts';

const PNG = { bytes: noise(2_000), type: 'image/png' } as const;
const BASE = 'https://trawl.test/base';

async function createScene(t: TestContext) {
  const { store, dataDir } = await openTemporaryStore(t);
  let now = START;
  const withSecret = (secret: Uint8Array) => createFileLinks({ files: store.files, secret, clock: { now: () => now } });
  return {
    store,
    dataDir,
    withSecret,
    links: withSecret(randomBytes(32)),
    turnTo: (time: number) => {
      now = time;
    },
  };
}

interface Parts {
  id: string;
  name: string;
  expires: string;
  sig: string;
}

function partsOf(link: string): Parts {
  const { pathname, searchParams } = new URL(link);
  const [name, id] = pathname.split('/').reverse() as [string, string];
  return { id, name, expires: searchParams.get('expires')!, sig: searchParams.get('sig')! };
}

const openParts = (links: FileLinks, { id, name, ...query }: Parts) => links.open(id, name, query);

/** The caller's error; it must be the same for everything that is wrong. */
async function refusal(opening: Promise<unknown>) {
  const error = await opening.then(
    () => assert.fail('the link was accepted'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof ServiceError, String(error));
  const { code, status, message, details, retryAfter } = error;
  return { code, status, message, details, retryAfter };
}

test('a link opens the file, named after its type', async (t) => {
  const { links } = await createScene(t);
  const types = { 'image/png': 'screenshot.png', 'image/jpeg': 'screenshot.jpg', 'application/pdf': 'page.pdf' };
  for (const [type, name] of Object.entries(types) as [keyof typeof types, string][]) {
    const { url: link } = await links.store({ bytes: noise(70_000), type }, BASE, DAY);
    assert.match(link, /^https:\/\/trawl\.test\/base\/files\/[0-9a-f]{32}\/[\w.]+\?expires=\d+&sig=[\w-]{43}$/);
    assert.equal(partsOf(link).name, name);
    const file = await openParts(links, partsOf(link));
    assert.deepEqual([file.type, file.expiresAt], [type, START + DAY]);
    assert.ok((await buffer(file.read())).equals(noise(70_000)));
  }
});

test('a large file is moved into the store and gets a link with the given name', async (t) => {
  const { links, dataDir } = await createScene(t);
  const path = join(dataDir, 'made.mp4');
  writeFileSync(path, noise(200_000));
  const link = await links.adopt({ path, name: 'video.mp4', type: 'video/mp4' }, BASE, DAY);
  assert.equal(partsOf(link).name, 'video.mp4');
  const file = await openParts(links, partsOf(link));
  assert.deepEqual([file.type, file.size, file.expiresAt], ['video/mp4', 200_000, START + DAY]);
  assert.ok((await buffer(file.read())).equals(noise(200_000)));
});

test('two links to the same picture have nothing in common', async (t) => {
  const { links } = await createScene(t);
  const [a, b] = [partsOf((await links.store(PNG, BASE, DAY)).url), partsOf((await links.store(PNG, BASE, DAY)).url)];
  assert.notEqual(a.id, b.id);
  assert.notEqual(a.sig, b.sig);
});

test('every invalid link gets the same answer', async (t) => {
  const { links, withSecret, store } = await createScene(t);
  const good = partsOf((await links.store(PNG, BASE, DAY)).url);
  const other = partsOf((await links.store(PNG, BASE, 2 * DAY)).url);
  const forged = partsOf((await withSecret(randomBytes(32)).store(PNG, BASE, DAY)).url);
  const flipped = (good.sig.startsWith('A') ? 'B' : 'A') + good.sig.slice(1);
  const withoutStore = createFileLinks({
    files: { ...store.files, add: async () => {} },
    secret: new Uint8Array(32),
    clock: { now: () => START },
  });
  const expected = await refusal(openParts(links, { ...good, sig: '' }));
  assert.deepEqual([expected.code, expected.status], ['NOT_FOUND', 404]);
  const wrong: Partial<Parts>[] = [
    { sig: flipped },
    { sig: good.sig.slice(0, -1) },
    { sig: `${good.sig}=` },
    { sig: 'ü'.repeat(43) },
    { sig: other.sig },
    { expires: other.expires },
    { expires: `${good.expires}0` },
    { expires: '' },
    { expires: 'Infinity' },
    { id: other.id },
    { id: good.id.toUpperCase() },
    { id: '' },
    { name: 'page.pdf' },
    { name: `${good.name}\n` },
    { name: '' },
    forged,
  ];
  for (const change of wrong) {
    assert.deepEqual(await refusal(openParts(links, { ...good, ...change })), expected, JSON.stringify(change));
  }
  assert.deepEqual(await refusal(links.open(good.id, good.name, {})), expected);
  // Signed by us, but not or no longer in the store.
  const gone = partsOf((await withoutStore.store(PNG, BASE, DAY)).url);
  assert.deepEqual(await refusal(openParts(withoutStore, gone)), expected);
  assert.ok(await openParts(links, good));
});

test('a link works until it expires, and then looks like an invalid one', async (t) => {
  const { links, turnTo } = await createScene(t);
  const parts = partsOf((await links.store(PNG, BASE, DAY)).url);
  assert.equal(parts.expires, String(START + DAY));
  const expected = await refusal(openParts(links, { ...parts, sig: '' }));
  turnTo(START + DAY - 1);
  assert.ok(await openParts(links, parts));
  turnTo(START + DAY);
  assert.deepEqual(await refusal(openParts(links, parts)), expected);
});

test('a capture keeps its link while that is valid, and has another one afterwards', async (t) => {
  const { links, turnTo } = await createScene(t);
  const { id, url } = await links.store(PNG, BASE, DAY);
  for (const time of [START, START + DAY / 2, START + DAY - 60_000]) {
    turnTo(time);
    assert.equal(await links.renew(id, BASE, DAY), url);
  }
  turnTo(START + DAY - 59_999);
  const next = (await links.renew(id, BASE, DAY))!;
  assert.equal(partsOf(next).expires, String(START + 2 * DAY - 59_999));
  turnTo(START + DAY);
  assert.equal(await links.renew(id, BASE, DAY), next);
  assert.ok(await openParts(links, partsOf(next)));
  assert.equal(await links.renew('0'.repeat(32), BASE, DAY), undefined);
});

test('a link survives a restart with the same secret', async (t) => {
  const { withSecret } = await createScene(t);
  const secret = randomBytes(32);
  const parts = partsOf((await withSecret(secret).store(PNG, BASE, DAY)).url);
  assert.ok(await openParts(withSecret(new Uint8Array(secret)), parts));
});

test('an inlined file is a data URL, also from a part of a larger buffer', async () => {
  const all = noise(3_000);
  const uri = asDataUri({ bytes: all.subarray(1_000, 2_000), type: 'image/jpeg' });
  assert.match(uri, /^data:image\/jpeg;base64,/);
  const response = await fetch(uri);
  assert.deepEqual(await response.bytes(), all.slice(1_000, 2_000));
});
