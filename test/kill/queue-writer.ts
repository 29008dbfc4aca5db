// Runs as a separate process that the test kills: several workers process a job without a pause and print
// the number of each page once the store has acknowledged it.
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { claimRequest, donePage, finishAs, sampleJob, sampleTask, webhookFor } from '../conformance/job-samples.ts';
import { noise, pageToStore, START, samplePage, sampleResult } from '../conformance/samples.ts';

const [dataDir, jobId] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir: dataDir!, cacheMaxBytes: 1e9 });
const { id: teamId } = await store.teams.ensureTeam('default', START);
if (!(await store.jobs.view(jobId!, teamId, START))) {
  const job = { id: jobId!, limit: 100_000, webhook: webhookFor(), tasks: [sampleTask('/1')] };
  await store.jobs.add(sampleJob(teamId, job));
}

async function work(owner: string): Promise<never> {
  for (;;) {
    const { tasks } = await store.queue.claim(claimRequest(jobId!, { owner, slots: 3 }));
    for (const task of tasks) {
      const number = Number(task.url.slice('http://site.test/'.length));
      // One in three pages is large enough for a file of its own.
      const bytes = noise(number % 3 ? 2_000 : 80_000, number);
      const toStore = pageToStore(task.url, task.url, { ...samplePage(''), bytes }, null, sampleResult(task.url));
      const links = [number * 2, number * 2 + 1, number - 1].map((next) => sampleTask(`/${next}`));
      const look = { key: task.url, url: task.url, at: START, crawl: 'site', version: bytes.slice() };
      await finishAs(store, owner, task, donePage(task, { toStore, look, links }));
      process.stdout.write(`${number}\n`);
    }
    const [delivery] = await store.deliveries.due(START, 1);
    if (delivery) await store.deliveries.settle(delivery.id, 'delivered', { at: START });
  }
}
await Promise.all([work('worker 1'), work('worker 2')]);
