// When pages get their vectors: in quiet times, from where it stopped, and not at all without the models.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SentenceVectors } from '../../../../src/encoders/encoders.ts';
import { createVectoriser, type VectoriserDeps } from '../../../../src/jobs/indexing/vectorise.ts';

const PAGES = 40;
const GIVE_UP_MS = 60_000;
const QUIET_MS = 200;

function open(
  t: TestContext,
  {
    onEncode = async () => {},
    takeTurn = async () => true,
    ...more
  }: Partial<SentenceVectors & VectoriserDeps> & { onEncode?: (texts: readonly string[]) => Promise<void> } = {},
) {
  const vectors = new Map<number, Int8Array>();
  const calls = { encoded: 0, warnings: 0 };
  let now = 0;
  const vectoriser = createVectoriser({
    index: {
      async missingVectors(most) {
        const missing = Array.from({ length: PAGES }, (_, at) => at + 1).filter((docId) => !vectors.has(docId));
        const pages = missing.slice(0, most).map((docId) => ({ docId, text: `page ${docId}` }));
        return { pages, isComplete: pages.length === 0 };
      },
      async addVectors(given) {
        for (const { docId, vector } of given) vectors.set(docId, vector);
      },
    },
    sentences: {
      name: 'test',
      unavailable: () => undefined,
      async encode(texts) {
        calls.encoded += texts.length;
        await onEncode(texts);
        return texts.map(() => new Int8Array(384));
      },
      ...more,
    },
    clock: { now: () => now },
    log: { warn: () => void calls.warnings++ },
    quietMs: QUIET_MS,
    takeTurn,
  });
  t.after(() => vectoriser.close());
  return { vectoriser, vectors, calls, pass: (ms: number) => (now += ms) };
}

async function until(isDone: () => boolean): Promise<void> {
  for (const since = performance.now(); !isDone(); await sleep(1)) {
    assert.ok(performance.now() - since < GIVE_UP_MS, 'it takes too long');
  }
}

test('all pages get a vector after a search or a page, and each is encoded once', async (t) => {
  const { vectoriser, vectors, calls } = open(t);
  vectoriser.soon();
  vectoriser.later();
  vectoriser.soon();
  await until(() => vectors.size === PAGES);
  assert.equal(calls.encoded, PAGES);
});

test('where another process makes the vectors, this one does not, until it has its turn', async (t) => {
  const turns = [false, true];
  let taken = 0;
  const { vectoriser, vectors, calls } = open(t, {
    takeTurn: async () => {
      taken += 1;
      return turns.shift() ?? true;
    },
  });
  vectoriser.soon();
  await until(() => taken === 1);
  assert.deepEqual([vectors.size, calls.encoded], [0, 0]);
  for (; taken === 1; await sleep(1)) vectoriser.soon();
  await until(() => vectors.size === PAGES);
});

test('it stops when pages come in, keeps what it has, and goes on later', async (t) => {
  let isFirst = true;
  const opened = open(t, {
    async onEncode() {
      if (isFirst) opened.vectoriser.later();
      isFirst = false;
    },
  });
  const { vectoriser, vectors, calls } = opened;
  vectoriser.later();
  await until(() => vectors.size > 0);
  assert.equal(vectors.size, 2, 'the group that was under way');
  await until(() => vectors.size === PAGES);
  assert.equal(calls.encoded, PAGES);
});

test('pages that have come in for ten minutes no longer stop it', async (t) => {
  const opened = open(t, { onEncode: async () => opened.vectoriser.later() });
  const { vectoriser, vectors, pass } = opened;
  vectoriser.later();
  pass(11 * 60_000);
  await until(() => vectors.size === PAGES);
});

test('nothing happens without the models, and a failure is logged and tried again', async (t) => {
  const without = open(t, { unavailable: () => 'not installed' });
  without.vectoriser.soon();
  let failures = 1;
  const failing = open(t, {
    async onEncode() {
      if (failures-- > 0) throw new Error('no');
    },
  });
  failing.vectoriser.soon();
  await until(() => failing.calls.warnings === 1);
  await until(() => {
    failing.vectoriser.soon();
    return failing.vectors.size === PAGES;
  });
  assert.equal(without.calls.encoded, 0);
});

test('closing ends it between two groups', async (t) => {
  const opened = open(t, { onEncode: async () => void opened.vectoriser.close() });
  opened.vectoriser.soon();
  await until(() => opened.calls.encoded > 0);
  await opened.vectoriser.close();
  assert.ok(opened.calls.encoded < PAGES);
});
