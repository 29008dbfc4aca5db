// The documents of a job, page by page: where a page begins and ends, and the address of the next one.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import {
  allDocuments,
  BATCH,
  CRAWL,
  type EndedJob,
  type JobStatus,
  read,
  runBatch,
  runCrawl,
} from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { SHARED_SETTINGS } from '../support/wire/settings.ts';

const PUBLIC_URL = 'https://trawl.example/base';
const scene = useService(SHARED_SETTINGS, { TRAWL_PUBLIC_URL: PUBLIC_URL });

const urls = () => Array.from({ length: 7 }, (_, number) => scene.web.url('load.test', `/article/${number}`));
const path = (id: string, query = '') => `${BATCH}/${id}${query}`;

let job: Promise<EndedJob> | undefined;
/** The batch of seven that most tests use. */
const batch = () => {
  job ??= runBatch(scene.service, { urls: urls(), formats: ['links'] });
  return job;
};

/** Unlike fetch, sends the given Host. */
const getRaw = (service: RunningService, from: string, headers: Record<string, string>) =>
  new Promise<JobStatus>((resolve, reject) => {
    const answered = (response: IncomingMessage) => resolve(json(response) as Promise<JobStatus>);
    const authorization = `Bearer ${service.key}`;
    get(new URL(from, service.url), { headers: { authorization, ...headers } }, answered).on('error', reject);
  });

/** Without the origin: of several processes, each one gives its own. */
const pathOfNext = ({ next }: Pick<JobStatus, 'next'>): string => {
  const { pathname, search } = new URL(next!);
  return pathname + search;
};

describe('skip and limit', () => {
  const page = async (query: string) => (await read<JobStatus>(scene.service, path((await batch()).id, query))).body;

  test('choose a part, and next leads to the following one', async () => {
    const { id, documents: everything } = await batch();
    assert.equal(everything.length, 7);
    const first = await page('?limit=3');
    assert.deepEqual(first.data, everything.slice(0, 3));
    assert.equal(pathOfNext(first), path(id, '?skip=3&limit=3'));
    const second = await page('?skip=3&limit=3');
    assert.deepEqual(second.data, everything.slice(3, 6));
    assert.deepEqual(await allDocuments(scene.service, first), everything);
    const [head, behind] = [await page('?skip=6'), await page('?skip=2&limit=5')];
    assert.deepEqual([head.data.length, head.next, behind.data.length, behind.next], [1, undefined, 5, undefined]);
  });

  test('the counters are those of the whole job on every page', async () => {
    const { total, completed, creditsUsed } = await page('?skip=6&limit=1');
    assert.deepEqual([total, completed, creditsUsed], [7, 7, 7]);
  });

  test('after the last document there is an empty page without next', async () => {
    for (const query of ['?skip=7', '?skip=999999999', '?skip=7&limit=1']) {
      const { status, data, next } = await page(query);
      assert.deepEqual([status, data, next], ['completed', [], undefined], query);
    }
  });

  test('a page has a hundred documents unless more are requested', async () => {
    const many = Array.from({ length: 103 }, () => urls()[0]!);
    const { id, status, documents } = await runBatch(scene.service, { urls: many, formats: ['links'] });
    assert.equal(status.data.length, 100);
    assert.equal(pathOfNext(status), path(id, '?skip=100'));
    assert.equal(documents.length, 103);
    const { body } = await read<JobStatus>(scene.service, path(id, '?limit=1000'));
    assert.equal(body.data.length, 103);
  });

  test('anything but whole numbers within the bounds is refused', async () => {
    const wrong = [
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=x',
      'limit=',
      'limit=1.5',
      'skip=-1',
      'skip=x',
      'skip=1e3',
    ];
    const { id } = await batch();
    for (const query of wrong) {
      const { status, body } = await read(scene.service, path(id, `?${query}`));
      assert.deepEqual([status, body.success, body.code], [400, false, 'BAD_REQUEST'], query);
      assert.match(String(body.error), /^Invalid pagination: /, query);
    }
  });
});

describe('the size of a page', () => {
  const large = (mb: number, number: number) => scene.web.url('fault.test', `/huge?mb=${mb}&number=${number}`);

  fullTest('stays below 10 MiB, but a page has at least one document', async () => {
    const { status, documents, id } = await runBatch(scene.service, {
      urls: [large(4, 1), large(4, 2), large(4, 3), large(11, 4)],
      formats: ['rawHtml'],
      maxConcurrency: 1,
    });
    assert.equal(status.data.length, 2);
    assert.equal(pathOfNext(status), path(id, '?skip=2'));
    const { body: last } = await read<JobStatus>(scene.service, path(id, '?skip=3'));
    assert.equal(last.data.length, 1);
    assert.equal(last.next, undefined);
    assert.deepEqual(
      documents.map(({ rawHtml }) => Math.floor(rawHtml!.length / 1024 / 1024)),
      [4, 4, 4, 11],
    );
  });
});

describe('the base of next', () => {
  /** The part of `next` before the path, when the first of several documents is requested with these headers. */
  async function baseFor(service: RunningService, { id }: EndedJob, headers: Record<string, string>) {
    const { next } = await getRaw(service, path(id, '?limit=1'), headers);
    const rest = path(id, '?skip=1&limit=1');
    assert.ok(next!.endsWith(rest), next);
    return next!.slice(0, -rest.length);
  }

  test('is the address that the request was sent to', async () => {
    const base = async (headers: Record<string, string>) => baseFor(scene.service, await batch(), headers);
    assert.equal(await base({}), scene.service.url);
    assert.equal(await base({ host: 'trawl.intra:8080' }), 'http://trawl.intra:8080');
  });

  test('is the address that a trusted proxy was asked for', async () => {
    const base = async (headers: Record<string, string>) => baseFor(scene.service, await batch(), headers);
    const proto = { 'x-forwarded-proto': 'https' };
    assert.equal(await base({ host: 'trawl.example', ...proto }), 'https://trawl.example');
    const both = { host: 'inner:3002', ...proto, 'x-forwarded-host': 'trawl.example' };
    assert.equal(await base(both), 'https://trawl.example');
  });

  test('is TRAWL_PUBLIC_URL, whatever the request says', async () => {
    const there = await runBatch(scene.other, { urls: urls().slice(0, 2), formats: ['links'] });
    const headers = { host: 'inner:3002', 'x-forwarded-host': 'evil.example' };
    assert.equal(await baseFor(scene.other, there, headers), PUBLIC_URL);
    const { body } = await scene.other.post(CRAWL, { url: scene.web.url('news.test', '/plain') });
    assert.equal(body.url, `${PUBLIC_URL}${CRAWL}/${body.id}`);
  });

  test('is followed by the path of the kind of job', async () => {
    const { id } = await runCrawl(scene.service, { url: scene.web.url('docs.test', '/blog'), limit: 3 });
    const { body } = await read<JobStatus>(scene.service, `${CRAWL}/${id}?limit=2`);
    assert.equal(pathOfNext(body), `${CRAWL}/${id}?skip=2&limit=2`);
  });
});
