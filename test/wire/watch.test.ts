// The watcher's socket: existing results, each document as it arrives, how the job ended, and the close code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import {
  BATCH,
  CRAWL,
  cancel,
  type JobDocument,
  type JobStatus,
  runBatch,
  runCrawl,
  startJob,
} from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';

const scene = useService({}, { TRAWL_AUTH: 'off' });

type Message = { type: 'catchup'; data: JobStatus } | { type: 'document'; data: JobDocument };

const DONE = [1000, '{"type":"done"}'];

interface Watched {
  messages: Message[];
  protocol: string;
  code: number;
  reason: string;
}

/** A subprotocol, or headers, which browsers cannot send. */
type Offer = string | { headers: Record<string, string> };

/** Watches to the end; `onMessage` gets each message as it arrives. */
async function watch(
  service: RunningService,
  path: string,
  offer: Offer = service.key,
  onMessage: (message: Message) => void = () => {},
): Promise<Watched> {
  const socket = new WebSocket(service.url.replace(/^http/, 'ws') + path, offer as string);
  const messages: Message[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data as string) as Message;
    messages.push(message);
    onMessage(message);
  });
  const [{ code, reason }] = (await once(socket, 'close')) as [CloseEvent];
  return { messages, protocol: socket.protocol, code, reason };
}

const ids = (documents: readonly JobDocument[]) => documents.map(({ metadata }) => metadata.scrapeId);

/** All documents that a watcher received: first several at once, then one by one. */
const received = ([first, ...rest]: Message[]): JobDocument[] => [
  ...(first as { data: JobStatus }).data.data,
  ...rest.flatMap((message) => (message.type === 'document' ? [message.data] : [])),
];

/** The types of the messages, without repetitions. */
const typesOf = (messages: Message[]) =>
  messages.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);

describe('a running job', () => {
  test('a crawl sends each document once, in order, and closes when it is done', async () => {
    const id = await startJob(scene.service, CRAWL, { url: scene.web.url('busy.test') });
    const { messages, protocol, code, reason } = await watch(scene.service, `${CRAWL}/${id}`);
    assert.deepEqual(typesOf(messages), ['catchup', 'document']);
    assert.equal(protocol, scene.service.key);
    assert.deepEqual([code, reason], DONE);
    const first = messages[0]!.data as JobStatus;
    assert.deepEqual([first.success, first.status], [true, 'scraping']);
    // The status is final as soon as the socket is closed.
    const response = await scene.service.fetch(`${CRAWL}/${id}?limit=1000`);
    const { status, total, completed, data } = (await response.json()) as JobStatus;
    assert.deepEqual([status, total, completed], ['completed', 61, 61]);
    assert.deepEqual(received(messages), data);
  });

  fullTest('so does a batch', async () => {
    const urls = Array.from({ length: 12 }, (_, number) => scene.web.url('load.test', `/article/${number}`));
    const id = await startJob(scene.service, BATCH, { urls, formats: ['links'] });
    const { messages, code, reason } = await watch(scene.service, `${BATCH}/${id}`);
    assert.deepEqual([code, reason], DONE);
    assert.equal(new Set(ids(received(messages))).size, 12);
  });

  test('so does a cancelled job, whose status says how it ended', async () => {
    const path = `${CRAWL}/${await startJob(scene.service, CRAWL, { url: scene.web.url('fault.test', '/stalled-headers') })}`;
    let cancelling: Promise<unknown> | undefined;
    const { messages, code, reason } = await watch(scene.service, path, scene.service.key, () => {
      cancelling ??= cancel(scene.service, path);
    });
    await cancelling;
    assert.deepEqual(typesOf(messages), ['catchup']);
    assert.deepEqual([code, reason], DONE);
    const response = await scene.service.fetch(path);
    assert.equal(((await response.json()) as JobStatus).status, 'cancelled');
  });

  test('several watchers all receive everything', async () => {
    const id = await startJob(scene.service, CRAWL, { url: scene.web.url('docs.test', '/blog') });
    const watched = await Promise.all([1, 2, 3].map(() => watch(scene.service, `${CRAWL}/${id}`)));
    const [first, ...others] = watched.map(({ messages }) => ids(received(messages)));
    assert.equal(first!.length, 13);
    for (const other of others) assert.deepEqual(other, first);
  });
});

test('a watcher that connects after the end gets a page of results at once, and the rest one by one', async () => {
  const urls = Array.from({ length: 103 }, () => scene.web.url('news.test', '/plain'));
  const { id, documents } = await runBatch(scene.service, { urls, formats: ['links'] });
  const { messages, code } = await watch(scene.service, `${BATCH}/${id}`);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['catchup', 'document', 'document', 'document'],
  );
  assert.deepEqual(received(messages), documents);
  // The first status is not final, because clients disconnect when they see an end.
  assert.equal((messages[0] as { data: JobStatus }).data.status, 'scraping');
  assert.equal(code, 1000);
});

describe('who may watch', () => {
  const small = () => ({ url: scene.web.url('news.test', '/plain') });

  test('a key in the header works like one in the protocol', async () => {
    const { id } = await runCrawl(scene.service, small());
    const headers = { authorization: `Bearer ${scene.service.key}` };
    const { messages, code } = await watch(scene.service, `${CRAWL}/${id}`, { headers });
    assert.deepEqual([typesOf(messages), code], [['catchup'], 1000]);
  });

  test('a missing or wrong key closes with 3000', async () => {
    const { id } = await runCrawl(scene.service, small());
    const wrong: Offer[] = ['fc-wrong', { headers: {} }, { headers: { authorization: 'Bearer fc-wrong' } }];
    for (const offer of wrong) {
      const { messages, code, reason } = await watch(scene.service, `${CRAWL}/${id}`, offer);
      assert.deepEqual([messages, code], [[], 3000]);
      assert.match(reason, /^Unauthorized/);
    }
  });

  test('an unknown job closes with 1008', async () => {
    for (const [path, reason] of [
      [`${CRAWL}/${UNKNOWN}`, /^Job not found/],
      [`${BATCH}/${UNKNOWN}`, /^Job not found/],
      [`${CRAWL}/mine`, /^Invalid job ID/],
    ] as const) {
      const { messages, code, reason: closeReason } = await watch(scene.service, path);
      assert.deepEqual([messages, code], [[], 1008], path);
      assert.match(closeReason, reason);
    }
  });

  test('without keys, anybody on this machine', async () => {
    const { id } = await runCrawl(scene.other, small());
    for (const offer of [{ headers: {} }, 'any']) {
      const { messages, code } = await watch(scene.other, `${CRAWL}/${id}`, offer);
      assert.deepEqual([typesOf(messages), code], [['catchup'], 1000]);
    }
  });
});
