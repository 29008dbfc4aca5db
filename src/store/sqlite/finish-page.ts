// A page that was found: is it one the job has already? Then what becomes of it, of its result and of its links.

import type { Connection } from '../../util/sqlite.ts';
import type { DonePage, Finished, NewTask } from '../queue.ts';
import type { DeliveryRows } from './deliveries.ts';
import type { Duplicates } from './duplicates.ts';
import type { Job } from './job-rows.ts';
import type { PackedKeep } from './keep.ts';
import type { PageRows } from './pages.ts';
import type { ScrapeRows } from './scrapes.ts';
import type { TaskRows } from './tasks.ts';
import type { Traps } from './traps.ts';

export interface RunningTask {
  id: number;
  job: number;
  kind: NewTask['kind'];
  url: string;
  key: string;
  pattern: string;
  chained: 0 | 1;
}

/** A task that ends now, inside the transaction that saves its job. */
export interface Ending {
  job: Job;
  task: RunningTask;
  now: number;
}

export type Settled = Pick<Finished, 'became' | 'added'>;

export interface PageSettling {
  settle(ending: Ending, page: DonePage, keep: PackedKeep, links: NewTask[]): Settled;
}

export interface PageSettlingDeps {
  connection: Connection;
  tasks: TaskRows;
  pages: Pick<PageRows, 'write'>;
  scrapes: ScrapeRows;
  duplicates: Duplicates;
  traps: Traps;
  deliveries: Pick<DeliveryRows, 'queue'>;
}

export function createPageSettling(deps: PageSettlingDeps): PageSettling {
  const { connection, tasks, pages, scrapes, duplicates, traps, deliveries } = deps;
  const endPage = connection.prepare(
    `UPDATE tasks SET state = ?, owner = NULL, lease_until = NULL, ended_at = ?, scrape_id = ?, final_key = ?,
       group_key = ?, exact = ?, gist = ?, simhash = ? WHERE id = ?`,
  );
  const giveBack = connection.prepare(
    `UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ?`,
  );

  /** Keeps the page as the job's next result; false when what it refers to is gone. */
  const keepResult = ({ job, task, now }: Ending, page: DonePage, keep: PackedKeep): boolean => {
    const { teamId, number, completed: position } = job;
    const { scrapeId: id, metadata, warning, credits } = page;
    const scrape = { id, teamId, url: task.url, metadata, warning, createdAt: now, of: { job: number, position } };
    if (!scrapes.addRow({ ...scrape, resultId: pages.write(keep) })) return false;
    scrapes.count({ teamId, credits, succeeded: true, now });
    job.credits += credits;
    job.completed += 1;
    job.home = page.home ?? job.home;
    deliveries.queue(job, 'page', now, task.id);
    return true;
  };

  /** The cache may have the page all the same; a result by itself would be nobody's. */
  const dropResult = ({ job }: Ending, keep: PackedKeep) => {
    job.total -= 1;
    if ('page' in keep || ('result' in keep && keep.pageId !== undefined)) pages.write(keep);
  };

  return {
    settle(ending, page, keep, links) {
      const { job, task, now } = ending;
      const became = duplicates.isDone(job, page) ? 'duplicate' : 'done';
      if (became === 'duplicate') dropResult(ending, keep);
      else if (!keepResult(ending, page, keep)) {
        giveBack.run(task.id);
        return { became: 'waiting', added: 0 };
      }
      const { scrapeId, finalKey, group, print } = page;
      const foundElsewhere = finalKey === task.key ? null : finalKey;
      endPage.run(became, now, scrapeId, foundElsewhere, group, print.exact, print.gist, print.simhash, task.id);
      duplicates.dropTwin(job, finalKey);

      // Before the links: spares were found earlier.
      const promoted = tasks.promote(job);
      const ways = traps.watch(job.number, task.pattern);
      const added = tasks.add(job, links, now, { watch: ways.see });
      traps.judge(job, { ...task, print }, ways.foundNewWay);
      return { became, added: promoted + added + tasks.promote(job) };
    },
  };
}
