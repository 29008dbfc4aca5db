// The watcher's socket: what there is, each document as it comes, how the job ended, and the code it is closed with.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
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

type Message = { type: 'catchup' | 'done'; data: JobStatus } | { type: 'document'; data: JobDocument };

interface Watched {
  messages: Message[];
  protocol: string;
  code: number;
  reason: string;
}

/** A subprotocol, or headers, which browsers cannot send. */
type Offer = string | { headers: Record<string, string> };

/** Watches to the end; `onMessage` sees each message as it comes. */
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

/** All documents that a watcher was told of: first several at once, then one by one. */
const told = ([first, ...rest]: Message[]): JobDocument[] => [
  ...(first as { data: JobStatus }).data.data,
  ...rest.flatMap((message) => (message.type === 'document' ? [message.data] : [])),
];

/** The types of the messages, with repetitions folded. */
const course = (messages: Message[]) =>
  messages.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);

describe('a job that runs', () => {
  test('a crawl tells each document once, in its order, and then that it is done', async () => {
    const id = await startJob(scene.service, CRAWL, { url: scene.web.url('busy.test') });
    const { messages, protocol, code } = await watch(scene.service, `${CRAWL}/${id}`);
    assert.deepEqual(course(messages), ['catchup', 'document', 'done']);
    assert.equal(protocol, scene.service.key);
    assert.equal(code, 1000);
    const first = messages[0]!.data as JobStatus;
    assert.deepEqual([first.success, first.status], [true, 'scraping']);
    const last = messages.at(-1)!.data as JobStatus;
    assert.deepEqual([last.status, last.total, last.completed, last.data], ['completed', 61, 61, []]);
    const response = await scene.service.fetch(`${CRAWL}/${id}?limit=1000`);
    assert.deepEqual(told(messages), ((await response.json()) as JobStatus).data);
  });

  test('a batch, too', async () => {
    const urls = Array.from({ length: 12 }, (_, number) => scene.web.url('load.test', `/article/${number}`));
    const id = await startJob(scene.service, BATCH, { urls, formats: ['links'] });
    const { messages, code } = await watch(scene.service, `${BATCH}/${id}`);
    assert.equal(messages.at(-1)!.type, 'done');
    assert.equal(code, 1000);
    assert.equal(new Set(ids(told(messages))).size, 12);
  });

  test('one that is cancelled ends with that status, and is not called done', async () => {
    const path = `${CRAWL}/${await startJob(scene.service, CRAWL, { url: scene.web.url('fault.test', '/stalled-headers') })}`;
    let cancelling: Promise<unknown> | undefined;
    const { messages, code } = await watch(scene.service, path, scene.service.key, () => {
      cancelling ??= cancel(scene.service, path);
    });
    await cancelling;
    assert.deepEqual(
      messages.map((message) => [message.type, (message.data as JobStatus).status]),
      [
        ['catchup', 'scraping'],
        ['catchup', 'cancelled'],
      ],
    );
    assert.equal(code, 1000);
  });

  test('several watchers are all told everything', async () => {
    const id = await startJob(scene.service, CRAWL, { url: scene.web.url('docs.test', '/blog') });
    const watched = await Promise.all([1, 2, 3].map(() => watch(scene.service, `${CRAWL}/${id}`)));
    const [first, ...others] = watched.map(({ messages }) => ids(told(messages)));
    assert.equal(first!.length, 13);
    for (const other of others) assert.deepEqual(other, first);
  });
});

test('who comes after the end is told everything at once, and what is more than a page one by one', async () => {
  const urls = Array.from({ length: 103 }, () => scene.web.url('news.test', '/plain'));
  const { id, documents } = await runBatch(scene.service, { urls, formats: ['links'] });
  const { messages, code } = await watch(scene.service, `${BATCH}/${id}`);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ['catchup', 'document', 'document', 'document', 'done'],
  );
  assert.deepEqual(told(messages), documents);
  // Clients leave when they are told of an end.
  assert.deepEqual(
    [messages[0]!, messages.at(-1)!].map(({ data }) => (data as JobStatus).status),
    ['scraping', 'completed'],
  );
  assert.equal(code, 1000);
});

describe('who may watch', () => {
  const small = () => ({ url: scene.web.url('news.test', '/plain') });

  test('a key in the header is as good as one in the protocol', async () => {
    const { id } = await runCrawl(scene.service, small());
    const headers = { authorization: `Bearer ${scene.service.key}` };
    const { messages, code } = await watch(scene.service, `${CRAWL}/${id}`, { headers });
    assert.deepEqual([course(messages), code], [['catchup', 'done'], 1000]);
  });

  test('no key and a wrong one are turned away with 3000', async () => {
    const { id } = await runCrawl(scene.service, small());
    const wrong: Offer[] = ['fc-wrong', { headers: {} }, { headers: { authorization: 'Bearer fc-wrong' } }];
    for (const offer of wrong) {
      const { messages, code, reason } = await watch(scene.service, `${CRAWL}/${id}`, offer);
      assert.deepEqual([messages, code], [[], 3000]);
      assert.match(reason, /^Unauthorized/);
    }
  });

  test('a job that is not there closes with 1008', async () => {
    for (const [path, reason] of [
      [`${CRAWL}/${UNKNOWN}`, /^Job not found/],
      [`${BATCH}/${UNKNOWN}`, /^Job not found/],
      [`${CRAWL}/mine`, /^Invalid job ID/],
    ] as const) {
      const { messages, code, reason: told } = await watch(scene.service, path);
      assert.deepEqual([messages, code], [[], 1008], path);
      assert.match(told, reason);
    }
  });

  test('where no key is asked for, anybody on this machine', async () => {
    const { id } = await runCrawl(scene.other, small());
    for (const offer of [{ headers: {} }, 'any']) {
      const { messages, code } = await watch(scene.other, `${CRAWL}/${id}`, offer);
      assert.deepEqual([course(messages), code], [['catchup', 'done'], 1000]);
    }
  });
});
