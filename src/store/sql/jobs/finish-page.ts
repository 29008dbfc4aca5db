// Ends the task of a fetched page: checks for duplicates, then stores its result and adds its links.
import type { DonePage, Finished, NewTask, TaskOutcome } from '../../ports/jobs/job-queue.ts';
import { chargeOf, type Job } from '../../rules/jobs/job-record.ts';
import type { Awaitable, BooleanColumn, Tx } from '../database.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import { indexed } from '../indexed-text.ts';
import type { SqlLedger } from '../teams/ledger.ts';
import type { CrawlTraps } from './crawl-traps.ts';
import type { DuplicatePages } from './duplicate-pages.ts';
import type { PackedPageEnd, PageWriters } from './page-writers.ts';
import type { TaskRows } from './task-rows.ts';

export interface RunningTask {
  id: number;
  job: number;
  kind: NewTask['kind'];
  url: string;
  /** As they are in the index. */
  key: string;
  pattern: string;
  chained: BooleanColumn;
}

/** A task that is about to end, inside the transaction that has locked its job and saves it. */
export interface EndingTask {
  job: Job;
  task: RunningTask;
  now: number;
}

export type TaskResult = Pick<Finished, 'became' | 'added'>;

export type FoundLinks = Pick<Extract<TaskOutcome, { state: 'done' }>, 'links' | 'mentions'>;

export interface PageFinisher {
  finish(tx: Tx, ending: EndingTask, page: DonePage, packed: PackedPageEnd, found: FoundLinks): Promise<TaskResult>;
}

export interface PageFinisherDeps {
  tasks: TaskRows;
  pages: Pick<PageWriters, 'writePage' | 'addScrape' | 'writeLook'>;
  ledger: Pick<SqlLedger, 'record'>;
  duplicates: DuplicatePages;
  traps: CrawlTraps;
  deliveries: Pick<DeliveryQueue, 'queue'>;
}

export function createPageFinisher(deps: PageFinisherDeps): PageFinisher {
  const { tasks, pages, ledger, duplicates, traps, deliveries } = deps;

  /** Stores the page as the next result of the job; false if the result it refers to is gone. */
  const storeResult = async (tx: Tx, ending: EndingTask, page: DonePage, packed: PackedPageEnd): Promise<boolean> => {
    const { job, task, now } = ending;
    const { teamId, number, completed: position } = job;
    const { scrapeId: id, ownContent, metadata, warning, credits } = page;
    const resultId = await pages.writePage(tx, packed);
    const texts = { ownContent, metadata, warning };
    const scrape = { id, teamId, url: task.url, ...texts, createdAt: now, of: { job: number, position } };
    if (!(await pages.addScrape(tx, { ...scrape, resultId }))) return false;
    await pages.writeLook(tx, teamId, packed);
    const stored = await tx.one<{ size: number }>`SELECT size FROM results WHERE id = ${resultId}`;
    job.storedBytes += stored?.size ?? 0;
    job.credits += credits;
    job.completed += 1;
    job.home = page.home ?? job.home;
    return true;
  };

  const announce = (tx: Tx, { job, task, now }: EndingTask, { credits }: DonePage): Promise<unknown> =>
    Promise.all([
      ledger.record(tx, { ...chargeOf(job, credits), succeeded: true, now }),
      deliveries.queue(tx, job, 'page', now, task.id),
    ]);

  /** The page may still enter the cache. A result on its own would belong to nothing. */
  const dropResult = async (tx: Tx, { job }: EndingTask, { toStore }: DonePage, packed: PackedPageEnd) => {
    job.total -= 1;
    if ('page' in toStore || ('result' in toStore && toStore.pageId !== undefined)) await pages.writePage(tx, packed);
  };

  return {
    async finish(tx, ending, page, packed, { links, mentions }) {
      const { job, task, now } = ending;
      const became = (await duplicates.isDone(tx, job, page)) ? 'duplicate' : 'done';
      if (became === 'duplicate') await dropResult(tx, ending, page, packed);
      else if (!(await storeResult(tx, ending, page, packed))) {
        await tx.run`UPDATE tasks SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ${task.id}`;
        return { became: 'waiting', added: 0 };
      }
      await Promise.all([
        became === 'done' && announce(tx, ending, page),
        endPage(tx, task, page, became, now),
        duplicates.dropTwin(tx, job, page.finalKey),
      ]);

      // Before the links, since spares were found earlier.
      const promoted = await tasks.promote(tx, job);
      const watch = traps.watch(job.number, task.pattern);
      const added = await tasks.add(tx, job, links, now, { watch, mentions });
      await traps.countPage(tx, job, { ...task, fingerprint: page.fingerprint }, watch.foundNewPath);
      return { became, added: promoted + added + (await tasks.promote(tx, job)) };
    },
  };
}

function endPage(
  tx: Tx,
  task: RunningTask,
  { scrapeId, finalKey, group, fingerprint }: DonePage,
  became: 'done' | 'duplicate',
  now: number,
): Awaitable<unknown> {
  const key = indexed(finalKey);
  return tx.run`
    UPDATE tasks SET state = ${became}, owner = NULL, lease_until = NULL, ended_at = ${now}, scrape_id = ${scrapeId},
      final_key = ${key === task.key ? null : key}, group_key = ${indexed(group)}, exact = ${fingerprint.exact},
      gist = ${fingerprint.gist}, simhash = ${fingerprint.simhash}
    WHERE id = ${task.id}`;
}
