// Ends the task of a fetched page: checks for duplicates, then stores its result and adds its links.
import type { DonePage, Finished, NewTask, TaskOutcome } from '../../job-queue.ts';
import { chargeOf, type Job } from '../../records/jobs/job-record.ts';
import { indexed } from '../../sql/indexed-text.ts';
import type { PackedLook, PackedToStore } from '../../sql/pages/page-packer.ts';
import type { Sql } from '../database/database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { CrawlTraps } from './crawl-traps.ts';
import type { DuplicatePages } from './duplicate-pages.ts';
import type { PageWriters } from './page-writers.ts';
import type { TaskRows } from './task-rows.ts';

export interface RunningTask {
  id: number;
  job: number;
  kind: NewTask['kind'];
  url: string;
  /** As it is in the index. */
  key: string;
  pattern: string;
  chained: boolean;
}

/** A task that is about to end, inside the transaction that has locked its job and saves it. */
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
  finish(
    sql: Sql,
    endingTask: EndingTask,
    page: DonePage,
    packed: PackedPageEnd,
    found: FoundLinks,
  ): Promise<TaskResult>;
}

export interface PageFinisherDeps extends Pick<PageWriters, 'pages' | 'scrapes' | 'history'> {
  tasks: TaskRows;
  ledger: Pick<LedgerRows, 'record'>;
  duplicates: DuplicatePages;
  traps: CrawlTraps;
  deliveries: Pick<DeliveryQueue, 'queue'>;
}

export function createPageFinisher(deps: PageFinisherDeps): PageFinisher {
  const { tasks, pages, scrapes, ledger, history, duplicates, traps, deliveries } = deps;

  /** Stores the page as the next result of the job; false if the result it refers to is gone. */
  const storeResult = async (sql: Sql, ending: EndingTask, page: DonePage, packed: PackedPageEnd): Promise<boolean> => {
    const { job, task, now } = ending;
    const { teamId, number, completed: position } = job;
    const { scrapeId: id, ownContent, metadata, warning, credits } = page;
    const resultId = await pages.write(sql, packed.toStore);
    const texts = { ownContent, metadata, warning };
    const scrape = { id, teamId, url: task.url, ...texts, createdAt: now, of: { job: number, position } };
    if (!(await scrapes.addRow(sql, { ...scrape, resultId }))) return false;
    await history.write(sql, teamId, packed.look);
    job.credits += credits;
    job.completed += 1;
    job.home = page.home ?? job.home;
    return true;
  };

  const announce = async (sql: Sql, { job, task, now }: EndingTask, { credits }: DonePage): Promise<void> =>
    void (await Promise.all([
      ledger.record(sql, { ...chargeOf(job, credits), succeeded: true, now }),
      deliveries.queue(sql, job, 'page', now, task.id),
    ]));

  /** The page may still enter the cache. A result on its own would belong to nothing. */
  const dropResult = async (sql: Sql, { job }: EndingTask, toStore: PackedToStore) => {
    job.total -= 1;
    if ('page' in toStore || ('result' in toStore && toStore.pageId !== undefined)) await pages.write(sql, toStore);
  };

  return {
    async finish(sql, ending, page, packed, { links, mentions }) {
      const { job, task, now } = ending;
      const became = (await duplicates.isDone(sql, job, page)) ? 'duplicate' : 'done';
      if (became === 'duplicate') await dropResult(sql, ending, packed.toStore);
      else if (!(await storeResult(sql, ending, page, packed))) {
        await sql`UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ${task.id}`;
        return { became: 'waiting', added: 0 };
      }
      await Promise.all([
        became === 'done' && announce(sql, ending, page),
        endPage(sql, task, page, became, now),
        duplicates.dropTwin(sql, job, page.finalKey),
      ]);

      // Before the links, since spares were found earlier.
      const promoted = await tasks.promote(sql, job);
      const watch = traps.watch(job.number, task.pattern);
      const added = await tasks.add(sql, job, links, now, { watch, mentions });
      await traps.countPage(sql, job, { ...task, fingerprint: page.fingerprint }, watch.foundNewPath);
      return { became, added: promoted + added + (await tasks.promote(sql, job)) };
    },
  };
}

async function endPage(
  sql: Sql,
  task: RunningTask,
  { scrapeId, finalKey, group, fingerprint }: DonePage,
  became: 'done' | 'duplicate',
  now: number,
): Promise<void> {
  const key = indexed(finalKey);
  await sql`
    UPDATE tasks SET state = ${became}, owner = NULL, lease_until = NULL, ended_at = ${now}, scrape_id = ${scrapeId},
      final_key = ${key === task.key ? null : key}, group_key = ${indexed(group)}, exact = ${fingerprint.exact},
      gist = ${fingerprint.gist}, simhash = ${fingerprint.simhash}
    WHERE id = ${task.id}`;
}
