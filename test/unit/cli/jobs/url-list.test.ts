// Lists of URLs: comments, blank lines, duplicates, long lists, and files that are no lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileSource, listedUrls, urlSlices } from '../../../../src/cli/jobs/url-list.ts';
import { UsageError } from '../../../../src/cli/usage-error.ts';

async function* chunksOf(...chunks: (string | Buffer)[]) {
  yield* chunks;
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

const listed = (...chunks: (string | Buffer)[]) => all(listedUrls({ name: 'urls.txt', chunks: chunksOf(...chunks) }));

test('comments and blank lines are left out, and lines may be cut anywhere', async () => {
  const text = '\uFEFFhttps://a.example/ä\r\n\n# a comment\n  https://b.example/  \nc.example';
  const bytes = Buffer.from(text);
  for (const size of [1, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    assert.deepEqual(await listed(...chunks), ['https://a.example/ä', 'https://b.example/', 'c.example']);
  }
  assert.deepEqual(await listed(), []);
});

test('a file that is no list is refused in one sentence, before much of it is read', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield 'x'.repeat(10_000);
    }
  }
  await assert.rejects(all(listedUrls({ name: 'one.bin', chunks: endless() })), /one\.bin is not a list/);
  assert.ok(read < 5);
  await assert.rejects(listed(Buffer.from([0x50, 0x4b, 3, 4, 10])), UsageError);
  await assert.rejects(listed(`https://a.example/${'x'.repeat(20_000)}\n`), UsageError);
  await assert.rejects(all(listedUrls(fileSource('/no/such/file'))), /cannot be read \(ENOENT\)/);
});

test('a long list comes in slices, each URL once', async () => {
  function* urls() {
    for (let round = 0; round < 2; round += 1)
      for (let index = 0; index < 25_000; index += 1) yield `a.example/${index}`;
  }
  const slices = await all(urlSlices(urls()));
  assert.deepEqual(
    slices.map(({ length }) => length),
    [10_000, 10_000, 5_000],
  );
  assert.equal(new Set(slices.flat()).size, 25_000);
});

test('long URLs make shorter slices', async () => {
  const urls = Array.from({ length: 1_000 }, (_, index) => `https://a.example/${'x'.repeat(10_000)}${index}`);
  const slices = await all(urlSlices(urls));
  assert.ok(slices.length > 3);
  for (const slice of slices) assert.ok(JSON.stringify(slice).length < 3 * 1024 * 1024);
});
