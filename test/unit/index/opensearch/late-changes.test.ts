// Changes that arrive twice, too late, or from several processes at once leave the index on OpenSearch as if they had come in
// order.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPageAnalyser } from '../../../../src/index/ingest/analyse-page.ts';
import { createEngine } from '../../../../src/index/opensearch/engine/engine.ts';
import { indexName } from '../../../../src/index/opensearch/engine/page-mapping.ts';
import { createPageStore, type PageDocuments } from '../../../../src/index/opensearch/engine/page-store.ts';
import { createIngest } from '../../../../src/index/opensearch/ingest/apply-changes.ts';
import type { IndexChange } from '../../../../src/index/page-index.ts';
import { NO_OPENSEARCH, OPENSEARCH, openOpenSearch } from '../../../conformance/open-opensearch.ts';
import { changeOf, queryOf, urlsOf } from '../../../conformance/page-index-samples.ts';

const A = 'https://a.example/page';
const B = 'https://b.example/page';

function open(t: TestContext) {
  const cluster = openOpenSearch();
  t.after(cluster.remove);
  return cluster;
}

/** Applies changes like a process whose calls of the store differ from the real ones. */
async function applyWith(
  prefix: string,
  changes: IndexChange[],
  different: (store: PageDocuments) => Partial<PageDocuments>,
): Promise<void> {
  const engine = createEngine({ nodes: [OPENSEARCH!], prefix });
  const store = createPageStore(engine, prefix);
  try {
    await createIngest({ ...store, ...different(store) }, createPageAnalyser()).apply(changes);
  } finally {
    await engine.close();
  }
}

/** What a process sees that read everything before all changes, and then stood still. */
const seesNothing = (): Partial<PageDocuments> => ({ get: async (ids) => ids.map(() => undefined) });

test('an older version of a page that arrives after newer ones changes nothing', { skip: NO_OPENSEARCH }, async (t) => {
  const { index, prefix } = open(t);
  const links = [{ url: B, text: 'walrus guide' }];
  const old = changeOf({ url: A, body: 'otters', links }, 1);
  await index.apply([old, changeOf({ url: B, body: 'puffins' }, 2)]);
  await index.apply([changeOf({ url: A, body: 'seals' }, 3)]);
  await applyWith(prefix, [old], seesNothing);
  assert.deepEqual(await urlsOf(index, queryOf('otters')), []);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), [A]);
  assert.equal(await index.applied(), 3);
});

test('an older version of a page that arrives after its removal does not bring it back', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const { index, prefix, call } = open(t);
  const old = changeOf({ url: A, body: 'otters' }, 1);
  await index.apply([old, changeOf(A, 2)]);
  await applyWith(prefix, [old], seesNothing);
  assert.deepEqual(await urlsOf(index, queryOf('otters')), []);
  assert.deepEqual(await index.stats(), { pages: 0, images: 0, skipped: 0 });
  const settings = (await call('GET', `/${indexName(prefix)}/_settings`)) as Record<string, never>;
  assert.match(JSON.stringify(settings), /"gc_deletes":"1h"/, 'for longer than a process can stand still');
});

test('a process that dies before it has saved its position is repeated by the next one', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const { index, prefix, openAgain } = open(t);
  const changes = () => [
    changeOf({ url: A, title: 'Seals', body: 'seals', links: [{ url: B, text: 'walrus' }] }, 1),
    changeOf({ url: B, body: 'otters' }, 2),
  ];
  const died = new Error('died');
  await assert.rejects(
    applyWith(prefix, changes(), () => ({ put: () => Promise.reject(died) })),
    died,
  );
  assert.equal(await index.applied(), 0);
  const next = openAgain();
  await next.apply(changes());
  assert.equal(await index.applied(), 2);
  assert.equal((await index.stats()).pages, 2);
  assert.deepEqual(await urlsOf(index, queryOf('walrus')), [B]);
});

test('several processes may apply the same changes at the same time', { skip: NO_OPENSEARCH }, async (t) => {
  const { index, openAgain } = open(t);
  const changes = () =>
    Array.from({ length: 60 }, (_, i) => changeOf({ url: `https://h${i}.example/`, body: `seals number${i}` }, i + 1));
  await index.applied();
  await Promise.all([openAgain(), openAgain(), index].map((one) => one.apply(changes())));
  assert.deepEqual(await index.stats(), { pages: 60, images: 0, skipped: 0 });
  assert.equal(await index.applied(), 60);
  assert.equal((await urlsOf(index, queryOf('seals'), { limit: 100 })).length, 60);
});

test('links are found again after the index was cleared, and those that a crawl found when it rests', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const { index } = open(t);
  const links = [{ url: B, text: 'walrus guide' }];
  const linking = { url: A, body: 'x', links };
  for (const _ of ['first', 'cleared']) {
    await index.apply([changeOf(linking, 1), changeOf({ url: B, body: 'otters' }, 2)]);
    assert.deepEqual(await urlsOf(index, queryOf('walrus')), [B]);
    await index.clear();
  }
  const crawled = Array.from({ length: 60 }, (_, i) => changeOf({ url: `https://h${i}.example/`, body: 'x' }, i + 3));
  await index.apply([changeOf({ url: B, body: 'otters' }, 1)]);
  await index.apply([changeOf(linking, 2), ...crawled]);
  assert.equal(await index.applied(), 62);
  const found = async () => (await urlsOf(index, queryOf('walrus'))).length === 1;
  while (!(await found())) await sleep(200);
});

test('an index that somebody deleted is empty and starts again at the first change', {
  skip: NO_OPENSEARCH,
}, async (t) => {
  const { index, prefix, call } = open(t);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  await call('DELETE', `/${indexName(prefix)}`);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), []);
  assert.equal(await index.applied(), 0);
  await call('DELETE', `/${indexName(prefix)}`);
  await index.apply([changeOf({ url: A, body: 'seals' }, 1)]);
  assert.deepEqual(await urlsOf(index, queryOf('seals')), [A], 'created again with its fields');
});
