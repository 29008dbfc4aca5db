// Several stores on one database, as several processes have them, and what their workers do at the same time.
import type { TestContext } from 'node:test';
import type { ClaimedTask, TaskOutcome } from '../../../../../src/store/ports/jobs/job-queue.ts';
import type { NewJob } from '../../../../../src/store/ports/jobs/job-store.ts';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { claimRequest, donePage, type Running, startJob } from '../../../../conformance/job-samples.ts';
import { createDatabase, hasPostgres, type SharedDatabase } from '../../../../conformance/open-postgres.ts';
import { START } from '../../../../conformance/samples.ts';

export const NEEDS_POSTGRES = { skip: !hasPostgres && 'It runs with npm run test:cluster' };

export interface Clients {
  database: SharedDatabase;
  stores: Store[];
}

export async function openClients(t: TestContext, count: number): Promise<Clients> {
  const database = await createDatabase(t);
  return { database, stores: await Promise.all(Array.from({ length: count }, () => database.open())) };
}

/** The same job, as each of the clients sees it. */
export async function startShared({ stores }: Clients, job: Partial<NewJob> = {}): Promise<Running[]> {
  const running = await startJob(stores[0]!, job);
  return stores.map((store) => ({ ...running, store }));
}

/** `isOver`: nothing is left for this process until a lease ends. A claim can also be short because others claim at the same time. */
export async function claimSome({ store, id }: Pick<Running, 'store' | 'id'>, owner: string) {
  const request = claimRequest(id, { owner, slots: 3 });
  const { tasks, nextAt } = await store.queue.claim(request);
  return { tasks, isOver: tasks.length === 0 && (nextAt === undefined || nextAt >= request.leaseUntil) };
}

/** Claims and finishes tasks until the job has nothing left to claim. Returns what was claimed. */
export async function workOff(
  { store, id }: Running,
  owner: string,
  outcomeOf: (task: ClaimedTask) => TaskOutcome = (task) => donePage(task),
): Promise<ClaimedTask[]> {
  const claimed: ClaimedTask[] = [];
  for (;;) {
    const { tasks, isOver } = await claimSome({ store, id }, owner);
    if (isOver) return claimed;
    claimed.push(...tasks);
    const ended = tasks.map((task) => ({ id: task.id, outcome: outcomeOf(task) }));
    await store.queue.finish(owner, ended, START);
  }
}
