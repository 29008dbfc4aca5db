// An OpenSearch that is away, silent, busy or not what the settings say.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { indexName } from '../../../../src/index/opensearch/engine/page-mapping.ts';
import { openOpenSearchIndex } from '../../../../src/index/opensearch/open-opensearch-index.ts';
import type { PageIndex } from '../../../../src/index/page-index.ts';
import { NO_OPENSEARCH, OPENSEARCH, openOpenSearch } from '../../../conformance/open-opensearch.ts';
import { changeOf, queryOf, searchOf, urlsOf } from '../../../conformance/page-index-samples.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const A = 'https://a.example/page';
const CLOSED = 'http://127.0.0.1:1';

const isUnavailable = (error: Error & { code?: string }) => error.code === 'INDEX_UNAVAILABLE';

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls fail at once for a moment after an outage, so the first success may take a few tries. */
async function eventually(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(100);
    }
  }
}

test('searches and changes fail with a clear error while OpenSearch is away, and work when it is back', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const proxy = await startTcpProxy(OPENSEARCH!);
  t.after(proxy.stop);
  const cluster = openOpenSearch();
  t.after(cluster.remove);
  const index = cluster.openAgain(proxy.url.replace(/\/$/, ''), 300);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  for (const passage of ['refuse', 'reset', 'swallow'] as const) {
    proxy.set(passage);
    await assert.rejects(index.web(searchOf(queryOf('seals'))), isUnavailable, passage);
    await assert.rejects(index.apply([changeOf({ url: A, body: 'otters' }, 2)]), isUnavailable, passage);
    proxy.set('open');
    await eventually(async () => assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]));
  }
});

test('another node answers when one is away', { skip: NO_OPENSEARCH }, async (t) => {
  const cluster = openOpenSearch();
  t.after(cluster.remove);
  const index = cluster.openAgain(`${CLOSED},${OPENSEARCH}`);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
});

test('documents that a busy cluster rejects are sent again', { skip: NO_OPENSEARCH }, async (t) => {
  let rejections = 0;
  const busy = await listen(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, headers } = request;
    const type = headers['content-type'];
    const answer = await fetch(`${OPENSEARCH}${request.url}`, {
      ...{ method, ...(type && { headers: { 'content-type': type } }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const isRejected = request.url!.includes('_bulk') && rejections++ < 2;
    const items = isRejected && ((await answer.json()) as { items: unknown[] }).items;
    response.statusCode = answer.status;
    response.end(
      items ? JSON.stringify({ items: items.map(() => ({ index: { status: 429 } })) }) : await answer.text(),
    );
  });
  const cluster = openOpenSearch();
  t.after(cluster.remove);
  const index = cluster.openAgain(busy);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1), changeOf({ url: 'https://b.example/', body: 'x' }, 2)]);
  assert.ok(rejections >= 3);
  assert.equal((await index.stats()).pages, 2);
});

test('no change is lost while the index may not be written, as on a full disk', { skip: NO_OPENSEARCH }, async (t) => {
  const { index, prefix, call, remove } = openOpenSearch();
  t.after(remove);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  const block = (isBlocked: boolean) =>
    call('PUT', `/${indexName(prefix)}/_settings`, { 'index.blocks.write': isBlocked });
  await block(true);
  await assert.rejects(index.apply([changeOf({ url: A, body: 'otters' }, 2)]), isUnavailable);
  assert.equal(await index.applied(), 1);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
  await block(false);
  await index.apply([changeOf({ url: A, body: 'otters' }, 2)]);
  assert.deepEqual(await urlsOf(index, queryOf('otters')), [A]);
});

test('an index is used by the installation that has made it, and by no other', { skip: NO_OPENSEARCH }, async (t) => {
  const { index, prefix, openAgain, remove } = openOpenSearch();
  t.after(remove);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  const other = openAgain(undefined, undefined, 'another one');
  for (const use of [() => other.applied(), () => other.clear(), () => other.apply([changeOf({ url: A }, 2)])])
    await assert.rejects(use, isUnavailable);
  await assert.rejects(other.web(searchOf(queryOf('seals'))), isUnavailable);
  assert.deepEqual(await urlsOf(openAgain(), queryOf('seals')), [A]);
  const open = (installation: string) => openOpenSearchIndex({ url: `${OPENSEARCH}/${prefix}`, installation });
  assert.match(
    ((await open('another one')) as { problem: string }).problem,
    /belongs to another installation\. Add a path/,
  );
  await ((await open('of the tests')) as PageIndex).close();
});

test('a service that starts while OpenSearch is away is told so, and gets an index that answers later', async (t) => {
  const reasons: string[] = [];
  const index = (await openOpenSearchIndex({
    url: CLOSED,
    onUnreachable: (reason) => reasons.push(reason),
  })) as PageIndex;
  t.after(() => index.close());
  assert.equal(reasons.length, 1);
  await assert.rejects(index.applied(), (error) => error instanceof ServiceError && error.code === 'INDEX_UNAVAILABLE');
});

test('what only the operator can solve is said in a sentence', async (t) => {
  const answers = (status: number, body: object) =>
    listen(t, (_, response) => {
      response.statusCode = status;
      response.end(JSON.stringify(body));
    });
  const problemOf = async (url: string) => ((await openOpenSearchIndex({ url })) as { problem?: string }).problem ?? '';
  const named = (number: string, distribution?: string) => answers(200, { version: { distribution, number } });
  assert.match(await problemOf(await answers(401, {})), /refuses the credentials/);
  assert.match(await problemOf(await named('8.11.0')), /not an OpenSearch/);
  assert.match(
    await problemOf(await named('2.18.0', 'opensearch')),
    /2\.18\.0 .* too old\. Update it to 2\.19 or later/,
  );
  assert.match(await problemOf('https://host:9200/UPPER'), /prefix of index names/);
  assert.match(await problemOf('https://a:9200,b:x'), /hosts is not valid/);
});

test('credentials are sent to every node', async (t) => {
  const seen: (string | undefined)[] = [];
  const url = await listen(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.statusCode = 401;
    response.end('{}');
  });
  await openOpenSearchIndex({ url: url.replace('://', '://trawl:p%40ss:word@') });
  assert.deepEqual(seen, [`Basic ${Buffer.from('trawl:p@ss:word').toString('base64')}`]);
});
