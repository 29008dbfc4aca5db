// Pages in worker threads: what a page may cost, how work is aborted and shared, and how threads end.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { PageContent, TransformRequest, TransformResult } from '../../../src/page/page.ts';
import { openSource } from '../../../src/page/understanding.ts';
import { createPagePool, type PagePoolOptions } from '../../../src/page-threads/page-pool.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';
import type { Transformer } from '../../../src/transform/transformer.ts';
import { fullTest, test } from '../../support/full-run.ts';

const never = new AbortController().signal;
const small = '<title>T</title><main><p>Hello</p></main>';
// A few hundred milliseconds of work: long enough to be cut off or aborted, short enough to finish.
const large = `<title>Large</title>${'<div><p>A <b>bold</b> <a href="/x">word</a>.</p></div>'.repeat(12_000)}`;

const request = (html: string | Uint8Array): TransformRequest => ({
  page: {
    finalUrl: 'https://example.com/',
    status: 200,
    headers: {},
    contentType: 'text/html; charset=utf-8',
    bytes: typeof html === 'string' ? new TextEncoder().encode(html) : html,
  },
  options: {
    formats: ['markdown', 'links'],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
  },
});

async function withPool(options: PagePoolOptions, use: (pool: Transformer) => Promise<void>): Promise<void> {
  const pool = createPagePool(options);
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

const markdownOf = async (pool: Transformer, html: string, signal = never) =>
  contentOf(await pool.transform(request(html), OWN_WORK, signal)).markdown;

const contentOf = ({ content }: TransformResult): PageContent => JSON.parse(new TextDecoder().decode(content));

test('a page is transformed in a thread, with its verdict and metadata', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    const outcome = await pool.transform(request(small), OWN_WORK, never);
    assert.deepEqual(contentOf(outcome), { markdown: 'Hello', links: [] });
    assert.equal(outcome.metadata.title, 'T');
    assert.equal(typeof outcome.verdict.kind, 'string');
    assert.deepEqual(outcome.warnings, []);
  });
});

test('many pages at once are all answered, each with its own result', async () => {
  await withPool({ workers: 2 }, async (pool) => {
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    const results = await Promise.all(numbers.map((at) => markdownOf(pool, `<p>page ${at}</p>`)));
    assert.deepEqual(
      results,
      numbers.map((at) => `page ${at}`),
    );
  });
});

test('the data of a page comes as bytes, which nobody has to read on the way to those who need it', async () => {
  const item = '<script type="application/ld+json">{"@type":"Product","name":"Kettle"}</script>';
  await withPool({ workers: 1 }, async (pool) => {
    const { source } = await pool.transform({ ...request(item + small), source: { data: true } }, OWN_WORK, never);
    assert.ok(source?.data instanceof Uint8Array);
    assert.deepEqual(openSource(source).data?.items[0]?.types, ['Product']);
  });
});

test('the caller keeps the bytes, whether they own their buffer or not', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    const own = new TextEncoder().encode(small).slice();
    await pool.transform(request(own), OWN_WORK, never);
    assert.equal(new TextDecoder().decode(own), small);
    const shared = Buffer.from(`before${small}after`).subarray(6, 6 + small.length);
    const outcome = await pool.transform(request(shared), OWN_WORK, never);
    assert.equal(contentOf(outcome).markdown, 'Hello');
    assert.equal(shared.toString(), small);
  });
});

test('a page that takes too long gives plain text and a warning, and the next page is served', async () => {
  await withPool({ workers: 1, transformTimeoutMs: 40 }, async (pool) => {
    const slow = `${large}${'<i>x</i>'.repeat(200_000)}`;
    const outcome = await pool.transform(request(slow), OWN_WORK, never);
    assert.match(contentOf(outcome).markdown!, /A bold word\./);
    assert.deepEqual(contentOf(outcome).links, []);
    assert.equal(outcome.metadata.title, 'Large');
    assert.match(outcome.warnings[0]!, /too much time or memory/);
    assert.equal(await markdownOf(pool, small), 'Hello');
  });
});

test('a page that needs too much memory costs only its thread', async () => {
  await withPool({ workers: 1, maxMemoryMb: 24 }, async (pool) => {
    const outcome = await pool
      .transform(request(`${small}${'&amp;<b>word</b>'.repeat(400_000)}`), OWN_WORK, never)
      .catch((error: { code: string }) => error.code);
    if (typeof outcome === 'string') assert.equal(outcome, 'SCRAPE_SITE_ERROR');
    else assert.match(outcome.warnings.join(), /too much time or memory/);
    assert.equal(await markdownOf(pool, small), 'Hello');
  });
});

test('aborting a queued page removes it from the queue and does not affect the running one', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    const running = markdownOf(pool, large);
    const controller = new AbortController();
    const waiting = markdownOf(pool, small, controller.signal);
    controller.abort(new Error('no longer wanted'));
    await assert.rejects(waiting, /no longer wanted/);
    assert.match((await running)!, /A \*\*bold\*\*/);
  });
});

test('aborting a running page ends its thread, and the next page gets a new one', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    await markdownOf(pool, small);
    const controller = new AbortController();
    const running = markdownOf(pool, large, controller.signal);
    const next = markdownOf(pool, small);
    await delay(20);
    controller.abort(new Error('gave up'));
    await assert.rejects(running, /gave up/);
    assert.equal(await next, 'Hello');
    await assert.rejects(markdownOf(pool, small, controller.signal), /gave up/);
  });
});

test('an idle thread ends, and new work starts another', async () => {
  await withPool({ workers: 1, idleMs: 10 }, async (pool) => {
    assert.equal(await markdownOf(pool, small), 'Hello');
    await delay(100);
    assert.equal(await markdownOf(pool, small), 'Hello');
  });
});

test('closing rejects running, queued and new pages', async () => {
  const pool = createPagePool({ workers: 1 });
  const pages = [markdownOf(pool, large), markdownOf(pool, small)];
  const settled = Promise.allSettled(pages);
  await pool.close();
  for (const result of await settled) {
    assert.equal(result.status, 'rejected');
    assert.equal((result.reason as { code: string }).code, 'SERVICE_UNAVAILABLE');
  }
  await assert.rejects(markdownOf(pool, small), { code: 'SERVICE_UNAVAILABLE' });
  await pool.close();
});

fullTest('one team with many slow pages does not keep another waiting', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    const order: string[] = [];
    const work = async (team: string, html: string) => {
      await pool.transform(request(html), { team }, never);
      order.push(team);
    };
    await Promise.all([...Array.from({ length: 4 }, () => work('a', large)), work('b', small)]);
    assert.ok(order.indexOf('b') <= 1, order.join());
  });
});

test('a selector that takes too many steps is an error that names it, and costs no thread', async () => {
  await withPool({ workers: 1 }, async (pool) => {
    const slow = request(`<main>${'<p>x</p>'.repeat(20_000)}</main>`);
    const selector = 'p:nth-last-child(3n+7)';
    slow.options.includeTags = [selector];
    await assert.rejects(
      pool.transform(slow, OWN_WORK, never),
      (error: Error & { code?: string }) =>
        error.code === 'SCRAPE_SELECTOR_TOO_COMPLEX' && error.message.includes(selector),
    );
    assert.equal(await markdownOf(pool, small), 'Hello');
  });
});
