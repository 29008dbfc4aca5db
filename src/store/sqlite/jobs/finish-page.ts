// Ends the task of a fetched page: checks for duplicates, then stores its result and adds its links.

import type { Connection } from '../../../util/sqlite.ts';
import type { DonePage, Finished, NewTask, TaskOutcome } from '../../job-queue.ts';
import { chargeOf, type Job } from '../../records/jobs/job-record.ts';
import type { Tx } from '../../sql/database.ts';
import type { CachedPageRows } from '../../sql/pages/cache/cached-page-rows.ts';
import type { HistoryRows } from '../../sql/pages/history-rows.ts';
import type { PackedLook, PackedToStore } from '../../sql/pages/page-packer.ts';
import type { ScrapeRows } from '../../sql/pages/scrape-rows.ts';
import type { DeliveryRows } from '../deliveries/delivery-rows.ts';
import type { LedgerRows } from '../ledger-rows.ts';
import type { CrawlTraps } from './crawl-traps.ts';
import type { DuplicatePages } from './duplicate-pages.ts';
import type { TaskRows } from './task-rows.ts';

export interface RunningTask {
  id: number;
  job: number;
  kind: NewTask['kind'];
  url: string;
  key: string;
  pattern: string;
  chained: 0 | 1;
}

/** A task that is about to end, inside the transaction that saves its job. */
export interface EndingTask {
  job: Job;
  task: RunningTask;
  now: number;
}

export type TaskResult = Pick<Finished, 'became' | 'added'>;

/** What was compressed before the transaction. */
export interface PackedPageEnd {
  toStore: PackedToStore;
  look: PackedLook | undefined;
}

export type FoundLinks = Pick<Extract<TaskOutcome, { state: 'done' }>, 'links' | 'mentions'>;

export interface PageFinisher {
  finish(tx: Tx, endingTask: EndingTask, page: DonePage, packed: PackedPageEnd, found: FoundLinks): Promise<TaskResult>;
}

export interface PageFinisherDeps {
  connection: Connection;
  tasks: TaskRows;
  pages: Pick<CachedPageRows, 'write'>;
  scrapes: Pick<ScrapeRows, 'addRow'>;
  ledger: Pick<LedgerRows, 'record'>;
  history: Pick<HistoryRows, 'write'>;
  duplicates: DuplicatePages;
  traps: CrawlTraps;
  deliveries: Pick<DeliveryRows, 'queue'>;
}

export function createPageFinisher(deps: PageFinisherDeps): PageFinisher {
  const { connection, tasks, pages, scrapes, ledger, history, duplicates, traps, deliveries } = deps;
  const endPage = connection.prepare(
    `UPDATE tasks SET state = ?, owner = NULL, lease_until = NULL, ended_at = ?, scrape_id = ?, final_key = ?,
       group_key = ?, exact = ?, gist = ?, simhash = ? WHERE id = ?`,
  );
  const releaseTask = connection.prepare(
    `UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ?`,
  );

  /** Stores the page as the next result of the job; false if the result it refers to is gone. */
  const storeResult = async (
    tx: Tx,
    { job, task, now }: EndingTask,
    page: DonePage,
    packed: PackedPageEnd,
  ): Promise<boolean> => {
    const { teamId, number, completed: position } = job;
    const { scrapeId: id, ownContent, metadata, warning, credits } = page;
    const texts = { ownContent, metadata, warning };
    const scrape = { id, teamId, url: task.url, ...texts, createdAt: now, of: { job: number, position } };
    const resultId = await pages.write(tx, packed.toStore);
    if (!(await scrapes.addRow(tx, { ...scrape, resultId }))) return false;
    await history.write(tx, teamId, packed.look);
    ledger.record({ ...chargeOf(job, credits), succeeded: true, now });
    job.credits += credits;
    job.completed += 1;
    job.home = page.home ?? job.home;
    deliveries.queue(job, 'page', now, task.id);
    return true;
  };

  /** The page may still enter the cache. A result on its own would belong to nothing. */
  const dropResult = async (tx: Tx, { job }: EndingTask, toStore: PackedToStore) => {
    job.total -= 1;
    if ('page' in toStore || ('result' in toStore && toStore.pageId !== undefined)) await pages.write(tx, toStore);
  };

  return {
    async finish(tx, endingTask, page, packed, { links, mentions }) {
      const { job, task, now } = endingTask;
      const became = duplicates.isDone(job, page) ? 'duplicate' : 'done';
      if (became === 'duplicate') await dropResult(tx, endingTask, packed.toStore);
      else if (!(await storeResult(tx, endingTask, page, packed))) {
        releaseTask.run(task.id);
        return { became: 'waiting', added: 0 };
      }
      const { scrapeId, finalKey, group, fingerprint } = page;
      const otherKey = finalKey === task.key ? null : finalKey;
      endPage.run(
        became,
        now,
        scrapeId,
        otherKey,
        group,
        fingerprint.exact,
        fingerprint.gist,
        fingerprint.simhash,
        task.id,
      );
      duplicates.dropTwin(job, finalKey);

      // Before the links, since spares were found earlier.
      const promoted = tasks.promote(job);
      const ways = traps.watch(job.number, task.pattern);
      const added = tasks.add(job, links, now, { watch: ways.see, mentions });
      traps.countPage(job, { ...task, fingerprint }, ways.foundNewPath);
      return { became, added: promoted + added + tasks.promote(job) };
    },
  };
}
