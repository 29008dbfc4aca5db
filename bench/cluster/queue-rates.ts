// How fast the queue is: claims a second, and finished pages a second with 20 links each, for one job and for many. The embedded
// store stands beside PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { claimRequest, donePage, onHost, sampleJob } from '../../test/conformance/job-samples.ts';
import { START } from '../../test/conformance/samples.ts';
import type { Row } from '../report.ts';

const CLIENTS = 8;
const AT_ONCE = 10;
const LINKS = 20;
const SECONDS = 8;
const MANY_JOBS = 50;
const CLAIMED = 20_000;
const LIMITS = { cacheMaxBytes: 1e9 };

export async function measureQueue(url: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-queue-'));
  const openings: [string, () => Promise<Store>][] = [
    ['embedded', () => openSqliteStore({ dataDir: join(folder, 'sqlite'), ...LIMITS })],
    [
      'PostgreSQL',
      () =>
        openPostgresStore({ url, secret: new Uint8Array(32), dataDir: folder, connections: CLIENTS + 2, ...LIMITS }),
    ],
  ];
  const rows: Row[] = [];
  try {
    for (const [system, open] of openings) {
      const store = await open();
      try {
        rows.push({ measure: 'claims', value: await claimRate(store), unit: '1/s', system });
        for (const jobs of [1, MANY_JOBS]) {
          const measure = `pages finished with ${LINKS} links, ${jobs === 1 ? 'one job' : `${jobs} jobs`}`;
          rows.push({ measure, value: await finishRate(store, jobs), unit: '1/s', system });
        }
      } finally {
        await store.close();
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addJobs(store: Store, count: number, pages: number): Promise<string[]> {
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const tasks = Array.from({ length: pages }, (_, page) => onHost(`h${page % 50}.test`, `/${number}/${page}`));
    const job = sampleJob(teamId, { tasks, limit: 1_000_000, maxUnfinished: 10_000 });
    await store.jobs.add(job);
    ids.push(job.id);
  }
  return ids;
}

async function claimRate(store: Store): Promise<number> {
  const [jobId] = await addJobs(store, 1, CLAIMED);
  const began = performance.now();
  let claimed = 0;
  const client = async (owner: string) => {
    for (;;) {
      const { tasks } = await store.queue.claim(claimRequest(jobId!, { owner, slots: AT_ONCE }));
      if (tasks.length === 0) return;
      claimed += tasks.length;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(`claimer ${number}`)));
  return claimed / ((performance.now() - began) / 1000);
}

/** As workers do it: each claims some pages of a job, and commits each with its links. */
async function finishRate(store: Store, jobs: number): Promise<number> {
  const ids = await addJobs(store, jobs, Math.ceil((CLIENTS * AT_ONCE) / jobs));
  const began = performance.now();
  const isOver = () => performance.now() - began > SECONDS * 1000;
  let finished = 0;
  let links = 0;
  const client = async (owner: string, first: number) => {
    for (let turn = first; !isOver(); turn++) {
      const { tasks } = await store.queue.claim(
        claimRequest(ids[turn % ids.length]!, { owner, slots: jobs === 1 ? AT_ONCE : 2 }),
      );
      for (const task of tasks) {
        const found = Array.from({ length: LINKS }, () => onHost(`h${links % 50}.test`, `/link/${links++}`));
        await store.queue.finish(owner, [{ id: task.id, outcome: donePage(task, { links: found }) }], START);
        finished += 1;
        if (isOver()) return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(`finisher ${number}`, number)));
  return finished / ((performance.now() - began) / 1000);
}
