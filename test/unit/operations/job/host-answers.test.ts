// What a page of a job reports about its host, from which the worker learns how many requests at once the host can take.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scrapeOptions } from '../../../../src/contracts/scrape/scrape-options.ts';
import { batchTask, createBatchHandler } from '../../../../src/operations/batch.ts';
import { NO_RESERVATION } from '../../../../src/policy/budgets/budgets.ts';
import type { ClaimedTask } from '../../../../src/store/ports/jobs/job-queue.ts';
import type { JobView } from '../../../../src/store/ports/jobs/job-store.ts';
import { uuidv7 } from '../../../../src/util/ids.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { reply } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

let web: Web;
let operations: OpenOperations;

before(async () => {
  web = await startWeb({
    'lamps.test': { '/': reply('<main><p>The red lamp costs 20 euros.</p></main>') },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

async function answerOf(path: string) {
  const { deps, caller } = operations;
  const url = new URL(web.url('lamps.test', path));
  const task = { ...batchTask(url.href, url, uuidv7(Date.now())), id: 1, jobId: 'job', attempt: 1 } as ClaimedTask;
  const options = { ...scrapeOptions.parse({}), baseUrl: '' };
  const job = { id: 'job', teamId: caller.team.id, kind: 'batch_scrape', options } as unknown as JobView;
  const { signal } = new AbortController();
  return (await createBatchHandler(deps)(task, job, { discover: async () => {}, reservation: NO_RESERVATION, signal }))
    .hostAnswer;
}

test('a page that was read tells how its host answered, and how fast', async () => {
  const answer = await answerOf('/');
  assert.equal(answer?.status, 200);
  assert.ok(answer?.ms !== undefined && answer.ms >= 0);
});

test('so does a page that is not there', async () => {
  assert.equal((await answerOf('/missing'))?.status, 404);
});
