// A team whose slots are all taken: what cannot be served in time is refused, jobs and other teams go on.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { lazy } from '../../src/util/lazy.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, runJob, until } from '../support/jobs.ts';
import { asTeam } from '../support/teams.ts';
import { useService } from '../support/use-service.ts';

const scene = useService({ TRAWL_MAX_CONCURRENCY: '2' });
const holding = new AbortController();

interface Load {
  concurrency: number;
  maxConcurrency: number;
}

interface Queue {
  waitingJobsInQueue: number;
}

/** Two pages that never answer hold both slots of the team until the tests end. */
const slotsAreHeld = lazy(async () => {
  const { service, web } = scene;
  for (const n of [1, 2]) {
    const body = JSON.stringify({ url: web.url('fault.test', `/stalled-headers?n=${n}`), timeout: 300_000 });
    const headers = { 'content-type': 'application/json' };
    service.fetch('/v2/scrape', { method: 'POST', headers, body, signal: holding.signal }).catch(() => {});
  }
  const load = async () => (await (await service.fetch('/v2/concurrency-check')).json()) as Load;
  await until(load, ({ concurrency }) => concurrency === 2);
});
after(() => holding.abort());

test('a request that could not be started in time is told when to come back', async () => {
  await slotsAreHeld();
  const { service, web } = scene;
  const { status, body, headers } = await service.scrape({ url: web.url('news.test', '/'), timeout: 1_000 });
  assert.deepEqual([status, body.success, body.code], [429, false, 'CONCURRENCY_QUEUE_TIMEOUT']);
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});

test('another team is served meanwhile', async () => {
  await slotsAreHeld();
  const others = await asTeam(scene.service, 'others');
  const { status, body } = await others.scrape({ url: scene.web.url('news.test', '/') });
  assert.equal(status, 200, JSON.stringify(body));
});

test('pages of jobs are not refused: they wait for their turn', async () => {
  await slotsAreHeld();
  const { service, web } = scene;
  const urls = Array.from({ length: 6 }, (_, n) => web.url('load.test', `/article/${n}`));
  const job = runJob(service, BATCH, { urls, formats: ['markdown'] });
  const waiting = async () => (await (await service.fetch('/v2/team/queue-status')).json()) as Queue;
  await until(waiting, ({ waitingJobsInQueue }) => waitingJobsInQueue === 6);
  holding.abort();
  const { status, problems } = await job;
  assert.deepEqual([status.status, status.completed, problems.errors.length], ['completed', 6, 0]);
});

fullTest('a selector that takes too many steps is an error that names it', async () => {
  const others = await asTeam(scene.service, 'selectors');
  const selector = 'p:nth-last-child(3n+7):not(:has(~ p ~ p ~ .none))';
  const html = `<main>${'<p>x</p>'.repeat(20_000)}</main>`;
  const form = new FormData();
  form.set('file', new Blob([html], { type: 'text/html' }), 'page.html');
  form.set('options', JSON.stringify({ formats: ['markdown'], includeTags: [selector] }));
  const answer = await others.fetch('/v2/parse', { method: 'POST', body: form });
  const body = (await answer.json()) as { code: string; error: string };
  assert.deepEqual([answer.status, body.code], [422, 'SCRAPE_SELECTOR_TOO_COMPLEX']);
  assert.ok(body.error.includes(selector));
});
