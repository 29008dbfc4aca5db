// Carries out a run of a collection: reads its targets and added pages, and then deletes what does not exist any more. What it
// has found is stored on the way, so an interrupted run goes on where it was.
import type { CollectionRunResult } from '../../../contracts/collection/collection.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { LeaseLost } from '../../../jobs/lease.ts';
import { RunCancelled, type RunHandler, type RunOutcome } from '../../../jobs/runs/run-handler.ts';
import { storesNothing } from '../../../policy/features.ts';
import { type AddedPage, PAGES } from '../../../store/ports/collections/member-store.ts';
import { cancelJobs } from '../../monitor/check/child-job.ts';
import type { CollectionRunRequest } from '../new-run.ts';
import { deleteMembers } from './delete-members.ts';
import { type Counts, noCounts, type ReadTarget, readTarget } from './read-target.ts';
import type { CollectionHandlerDeps, RunContext } from './run-context.ts';

/** Added pages that one batch reads. */
const BATCH = 5_000;

export const createCollectionHandler = (deps: CollectionHandlerDeps): RunHandler => ({
  async work(run, tools) {
    const caller = await deps.callerOf(run);
    const request = run.request as CollectionRunRequest;
    const context: RunContext = { deps, run, tools, request, caller, jobs: new Map() };
    if (storesNothing(deps.featuresOf, caller.team)) return NOT_ALLOWED;
    if (tools.spent().steps === 0 && (await tools.creditsLeft()) < 1) return NO_CREDITS;
    try {
      return await collect(context);
    } catch (error) {
      const isCancelled = tools.signal.reason instanceof RunCancelled;
      if (!isCancelled && goesOnLater(tools.signal, error)) throw error;
      const credits = tools.spent().credits + (await cancelJobs(context));
      if (!isCancelled) throw error;
      return { status: 'cancelled', error: 'The run was cancelled.', stopReason: 'cancelled', credits };
    }
  },
  endEvents: () => [],
});

/** The team was allowed to store pages when the collection was made. */
const NOT_ALLOWED: RunOutcome = {
  status: 'failed',
  error:
    'All requests of the team have zero data retention. A collection consists of stored pages, so nothing was read.',
  credits: 0,
};

const NO_CREDITS: RunOutcome = {
  status: 'skipped_no_credits',
  error: 'The credits of the month are used up, so nothing was read. The next run tries again.',
  credits: 0,
};

/** The service stops, another process has taken over, or the disk is full for now. */
const goesOnLater = (signal: AbortSignal, error: unknown): boolean =>
  signal.aborted ||
  error instanceof LeaseLost ||
  (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE');

async function collect(context: RunContext): Promise<RunOutcome> {
  const { tools, request } = context;
  const { definition, isNew } = request;
  const read: ReadTarget[] = [];
  if (!isNew) for (const target of definition.targets) read.push(await readTarget(context, target));
  read.push(...(await readAdded(context)));
  const counts = read.map((target) => target.counts).reduce(plus, noCounts());
  const unended = read.flatMap((target) => target.unended ?? []);
  const unread = read.flatMap((target) => target.unread);
  const { deleted, kept, problems } = await deleteMembers(context, unended, unread);
  const result: CollectionRunResult = { summary: { ...counts, deleted }, kept, problems };
  const hasFailed = counts.pages === counts.problems && (unended.length > 0 || counts.problems > 0);
  return {
    status: hasFailed ? 'failed' : unended.length + counts.problems > 0 ? 'partial' : 'completed',
    ...(hasFailed && { error: unended[0] ?? 'No page of the collection could be read.' }),
    result,
    credits: tools.spent().credits,
  };
}

/** Pages that somebody added by themselves, also those that are added while the run goes on. */
async function readAdded(context: RunContext): Promise<ReadTarget[]> {
  const { scrapeOptions } = context.request.definition;
  const read: ReadTarget[] = [];
  for (let after = 0; ; ) {
    const pages = await nextAdded(context, after);
    if (pages.length === 0) return read;
    const target = { type: 'scrape' as const, id: PAGES, urls: pages.map(({ url }) => url), scrapeOptions };
    read.push(await readTarget(context, target, `${PAGES} ${after}`));
    after = pages.at(-1)!.number;
  }
}

const nextAdded = (
  { deps, tools, request: { collectionId, isNew } }: RunContext,
  after: number,
): Promise<AddedPage[]> =>
  tools.step({ key: `added after ${after}`, name: 'pages' }, async () => ({
    output: await deps.collections.addedPages(collectionId, { after, limit: BATCH, isNew }),
  }));

const plus = (a: Counts, b: Counts): Counts => ({
  pages: a.pages + b.pages,
  added: a.added + b.added,
  changed: a.changed + b.changed,
  same: a.same + b.same,
  problems: a.problems + b.problems,
});
