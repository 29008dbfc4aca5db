// Answers that are made while they are sent: complete, or visibly cut off.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { Download } from '../../../src/archive/download.ts';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { JOB, KEY, startEdge } from './edge.ts';

const EXPORT = `/v2/crawl/${JOB}/export`;
const headers = { authorization: `Bearer ${KEY}` };
const FILE = { type: 'text/csv; charset=utf-8', name: 'crawl.csv', headers: { 'x-trawl-documents': '3' } };
const BLOCK = Buffer.alloc(64 * 1024, 'x');

test('a download has its type, its name and headers that keep browsers from showing it', async (t) => {
  const chunks = async function* () {
    yield Buffer.from('a,');
    yield Buffer.from('b\r\n');
  };
  const { url } = await startEdge(t, { answer: () => new Download(chunks(), FILE) });
  const response = await fetch(`${url}${EXPORT}`, { headers });
  const seen = ['content-type', 'content-disposition', 'x-trawl-documents', 'x-content-type-options', 'cache-control'];
  assert.deepEqual(
    seen.map((name) => response.headers.get(name)),
    ['text/csv; charset=utf-8', 'attachment; filename="crawl.csv"', '3', 'nosniff', 'no-store'],
  );
  assert.equal(await response.text(), 'a,b\r\n');
});

test('a failure before the first bytes is answered like any other', async (t) => {
  // biome-ignore lint/correctness/useYield: it fails before.
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    throw new ServiceError('JOB_NOT_FOUND');
  };
  const { url } = await startEdge(t, { answer: () => new Download(chunks(), FILE) });
  const response = await fetch(`${url}${EXPORT}`, { headers });
  assert.deepEqual([response.status, response.headers.get('content-disposition')], [404, null]);
  assert.equal(((await response.json()) as { code: string }).code, 'JOB_NOT_FOUND');
});

test('a failure after them cuts the connection, and is logged', async (t) => {
  const chunks = async function* () {
    yield BLOCK;
    yield BLOCK;
    throw new Error('the disk is gone');
  };
  const { url, logged } = await startEdge(t, { answer: () => new Download(chunks(), FILE) });
  const response = await fetch(`${url}${EXPORT}`, { headers });
  assert.equal(response.status, 200);
  await assert.rejects(response.text());
  assert.match(String((logged[0] as { err: Error }).err), /the disk is gone/);
});

test('only what is read is made, and a reader that leaves ends the work', async (t) => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  const chunks = async function* () {
    try {
      for (; made < 10_000; made += 1) yield BLOCK;
    } finally {
      ended.resolve();
    }
  };
  const { url, logged } = await startEdge(t, { answer: () => new Download(chunks(), FILE) });
  const leaving = new AbortController();
  const response = await fetch(`${url}${EXPORT}`, { headers, signal: leaving.signal });
  const reader = response.body!.getReader();
  await reader.read();
  leaving.abort();
  await reader.closed.catch(() => {});
  await ended.promise;
  assert.ok(made < 1_000, `${made} blocks were made`);
  assert.deepEqual(logged, []);
});

test('a reader that does not read is cut off when the service stops', async (t) => {
  const ended = Promise.withResolvers<void>();
  const chunks = async function* () {
    try {
      for (let made = 0; made < 10_000; made += 1) yield BLOCK;
    } finally {
      ended.resolve();
    }
  };
  const { url, stopping } = await startEdge(t, { answer: () => new Download(chunks(), FILE) });
  const response = await fetch(`${url}${EXPORT}`, { headers });
  stopping.abort(new ServiceError('SERVICE_UNAVAILABLE'));
  await ended.promise;
  await assert.rejects(response.text());
});

test('chunks are made in the context of the operation', async (t) => {
  const team = new AsyncLocalStorage<string>();
  const chunks = async function* () {
    for (let made = 0; made < 3; made += 1) {
      await Promise.resolve();
      yield Buffer.from(`${team.getStore()} `);
    }
  };
  const { url } = await startEdge(t, { answer: () => team.run('theirs', () => new Download(chunks(), FILE)) });
  assert.equal(await (await fetch(`${url}${EXPORT}`, { headers })).text(), 'theirs theirs theirs ');
});
