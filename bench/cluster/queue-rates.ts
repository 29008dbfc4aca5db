// How fast the queue is: claims a second, and finished pages a second with 20 links each, for one job and for many. Several
// processes share PostgreSQL, as in a cluster; the embedded store, which has one process, stands beside it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/store/ports/store.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { claimRequest, donePage, onHost, sampleJob } from '../../test/conformance/job-samples.ts';
import { START } from '../../test/conformance/samples.ts';
import type { Row } from '../report.ts';

const PROCESSES = 4;
/** What a process claims when it begins with a job ... */
const CLAIMED_AT_ONCE = 50;
/** ... and how many pages its workers finish at about the same time, and therefore together. */
const FINISHED_TOGETHER = 8;
const HOSTS = 200;
const LINKS = 20;
const SECONDS = 8;
const MANY_JOBS = 50;
const CLAIMED = 20_000;
const WAITING_AT_FIRST = 2_000;
const LIMITS = { cacheMaxBytes: 1e9 };

export async function measureQueue(url: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-queue-'));
  const secret = new Uint8Array(32);
  const openings: [string, () => Promise<Store[]>][] = [
    ['embedded', async () => [await openSqliteStore({ dataDir: join(folder, 'sqlite'), ...LIMITS })]],
    [
      'PostgreSQL',
      () =>
        Promise.all(
          Array.from({ length: PROCESSES }, (_, number) =>
            openPostgresStore({ url, secret, dataDir: join(folder, `process-${number}`), ...LIMITS }),
          ),
        ),
    ],
  ];
  const rows: Row[] = [];
  try {
    for (const [system, open] of openings) {
      const stores = await open();
      try {
        rows.push({ measure: 'claims', value: await claimRate(stores), unit: '1/s', system });
        for (const jobs of [1, MANY_JOBS]) {
          const measure = `pages finished with ${LINKS} links, ${jobs === 1 ? 'one job' : `${jobs} jobs`}`;
          rows.push({ measure, value: await finishRate(stores, jobs), unit: '1/s', system });
        }
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hostOf = (number: number): string => `h${number % HOSTS}.test`;

async function addJobs(store: Store, count: number, pages: number): Promise<string[]> {
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const tasks = Array.from({ length: pages }, (_, page) => onHost(hostOf(page), `/${number}/${page}`));
    const job = sampleJob(teamId, { tasks, limit: 1_000_000, maxUnfinished: 10_000 });
    await store.jobs.add(job);
    ids.push(job.id);
  }
  return ids;
}

async function claimRate(stores: readonly Store[]): Promise<number> {
  const [jobId] = await addJobs(stores[0]!, 1, CLAIMED);
  const began = performance.now();
  let claimed = 0;
  const claimAll = async (store: Store, number: number) => {
    for (;;) {
      const request = claimRequest(jobId!, { owner: `claimer ${number}`, slots: CLAIMED_AT_ONCE });
      const { tasks } = await store.queue.claim(request);
      if (tasks.length === 0) return;
      claimed += tasks.length;
    }
  };
  await Promise.all(stores.map(claimAll));
  return claimed / ((performance.now() - began) / 1000);
}

/** As workers do it: each claims some pages of a job, and commits them with their links. */
async function finishRate(stores: readonly Store[], jobs: number): Promise<number> {
  const ids = await addJobs(stores[0]!, jobs, Math.ceil(WAITING_AT_FIRST / jobs));
  const began = performance.now();
  const isOver = () => performance.now() - began > SECONDS * 1000;
  let finished = 0;
  let links = 0;
  const linkedTo = () => Array.from({ length: LINKS }, () => onHost(hostOf(links), `/link/${links++}`));
  const work = async (store: Store, number: number) => {
    const owner = `finisher ${number}`;
    for (let turn = number; !isOver(); turn++) {
      const jobId = ids[turn % ids.length]!;
      const { tasks } = await store.queue.claim(claimRequest(jobId, { owner, slots: FINISHED_TOGETHER }));
      const ended = tasks.map((task) => ({ id: task.id, outcome: donePage(task, { links: linkedTo() }) }));
      await store.queue.finish(owner, ended, START);
      finished += ended.length;
    }
  };
  await Promise.all(stores.map(work));
  return finished / ((performance.now() - began) / 1000);
}
