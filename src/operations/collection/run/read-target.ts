// Reads one target of a collection through an ordinary batch or crawl, and stores what it found in groups. Each group is a step,
// so that a run that was interrupted goes on with the next one.
import type { CollectionRunSummary } from '../../../contracts/collection/collection.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Document } from '../../../contracts/scrape/document.ts';
import type { SavedPages, SeenPage } from '../../../store/ports/collections/member-store.ts';
import { type EndedJob, type PageTarget, runChildJob } from '../../monitor/check/child-job.ts';
import { targetUrl } from '../../page/target-url.ts';
import { type RunContext, savingRun } from './run-context.ts';
import { seenPage } from './seen-page.ts';

/** Pages in memory at once: the first limit for small ones, the second for large ones. */
const GROUP_PAGES = 50;
const GROUP_BYTES = 8 * 1024 * 1024;
const PROBLEM_GROUP = 200;

export type Counts = Pick<CollectionRunSummary, 'pages' | 'added' | 'changed' | 'same' | 'problems'>;

export interface PageProblem {
  url: string;
  problem: string;
}

export interface ReadTarget {
  counts: Counts;
  /** Pages of a list that could not be read and never were. */
  unread: PageProblem[];
  /** Why it is not known whether pages that were not reached are gone. Absent if the target was read to its end. */
  unended?: string;
}

export const noCounts = (): Counts => ({ pages: 0, added: 0, changed: 0, same: 0, problems: 0 });

export async function readTarget(context: RunContext, target: PageTarget, key = target.id): Promise<ReadTarget> {
  const { valid, invalid } = readUrls(context, target);
  const counts = noCounts();
  const refused = await saveProblems(context, target, `${key} invalid`, invalid);
  add(counts, refused);
  if (valid.length === 0) return { counts, unread: unreadOf(target, counts, invalid, refused) };
  const job = await runChildJob(context, { ...target, id: key }, valid);
  for (let skip = 0; skip < job.completed; ) {
    const group = await saveGroup(context, target, key, job, skip);
    if (group.count === 0) break;
    add(counts, group.saved);
    skip += group.count;
  }
  const failed = await saveFailedPages(context, target, key, job);
  add(counts, failed.saved);
  const isStartLost = target.type === 'crawl' && failed.urls.some((url) => url === valid[0]);
  const unended = isStartLost ? `The start page ${target.url} could not be read.` : whyUnended(target, job);
  const unread = [
    ...unreadOf(target, counts, invalid, refused),
    ...unreadOf(target, counts, failed.pages, failed.saved),
  ];
  return { counts, unread, ...(unended !== undefined && { unended }) };
}

/** What was allowed when the collection was defined may be forbidden now. */
function readUrls({ deps }: RunContext, target: PageTarget) {
  const valid = new Set<string>();
  const invalid: SeenPage[] = [];
  for (const url of target.type === 'scrape' ? target.urls : [target.url]) {
    try {
      valid.add(targetUrl(url, deps.egress).href);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      invalid.push({ url, found: { state: 'problem', problem: error.message } });
    }
  }
  return { valid: [...valid], invalid };
}

function saveGroup(context: RunContext, target: PageTarget, key: string, job: EndedJob, skip: number) {
  const { deps, tools } = context;
  return tools.step({ key: `save ${key} ${skip}`, name: 'save', input: { targetId: target.id, skip } }, async () => {
    const query = { skip, limit: GROUP_PAGES, maxBytes: GROUP_BYTES };
    const { count, json } = await deps.jobs.results(job.id, query);
    const documents = JSON.parse(`[${Buffer.from(json).toString()}]`) as Document[];
    // A lost document has no address.
    const pages = documents.flatMap((document) => {
      const url = document.metadata.sourceURL;
      return url === undefined ? [] : [seenPage(url, document)];
    });
    return { output: { count, saved: await save(context, target, pages) } };
  });
}

async function save(context: RunContext, target: PageTarget, pages: readonly SeenPage[]): Promise<SavedPages> {
  const saved = await context.deps.collections.savePages(savingRun(context, target), pages);
  // The collection was deleted meanwhile, which its run will hear of.
  return saved ?? { added: 0, changed: 0, same: 0, gone: 0, problems: 0 };
}

/** Pages that the job could not read, those that robots.txt forbids, and those that it took for copies of others. */
async function saveFailedPages(context: RunContext, target: PageTarget, key: string, job: EndedJob) {
  const { deps, tools } = context;
  const { id: runId } = context.run;
  const { collectionId } = context.request;
  const failed = await tools.step({ key: `problems ${key}`, name: 'problems' }, async () => {
    const { errors, robotsBlocked } = await deps.jobs.problems(job.id);
    await deps.collections.keepDuplicates({ collectionId, runId }, job.id);
    return {
      output: [
        // Links that lead out of a crawl are also listed, but are none of its pages.
        ...errors.filter(({ code }) => code !== 'EXTERNAL_LINK').map(({ url, message }) => ({ url, problem: message })),
        ...robotsBlocked.map((url) => ({ url, problem: 'robots.txt forbids the page.' })),
      ],
    };
  });
  const pages = failed.map(({ url, problem }): SeenPage => ({ url, found: { state: 'problem', problem } }));
  const saved = await saveProblems(context, target, `${key} failed`, pages);
  return { pages, urls: failed.map(({ url }) => url), saved };
}

/** Members are counted where they are saved. Of a crawl, only these count: anything may be linked. */
function unreadOf(
  target: PageTarget,
  counts: Counts,
  pages: readonly SeenPage[],
  { problems }: SavedPages,
): PageProblem[] {
  const unknown = pages.length - problems;
  if (target.type === 'crawl' || unknown === 0) return [];
  counts.pages += unknown;
  counts.problems += unknown;
  return pages.flatMap(({ url, found }) => (found.state === 'problem' ? [{ url, problem: found.problem }] : []));
}

async function saveProblems(
  context: RunContext,
  target: PageTarget,
  kind: string,
  pages: readonly SeenPage[],
): Promise<SavedPages> {
  const all: SavedPages = { added: 0, changed: 0, same: 0, gone: 0, problems: 0 };
  for (let from = 0; from < pages.length; from += PROBLEM_GROUP) {
    const saved = await context.tools.step({ key: `failed ${kind} ${from}`, name: 'problems' }, async () => ({
      output: await save(context, target, pages.slice(from, from + PROBLEM_GROUP)),
    }));
    all.problems += saved.problems;
  }
  return all;
}

function add(counts: Counts, { added, changed, same, gone, problems }: SavedPages): void {
  counts.pages += added + changed + same + gone + problems;
  counts.added += added;
  counts.changed += changed;
  counts.same += same;
  counts.problems += problems;
}

function whyUnended(target: PageTarget, job: EndedJob): string | undefined {
  const what = target.type === 'crawl' ? `The crawl of ${target.url}` : 'A list of pages';
  if (job.status === 'cancelled') return `${what} was cancelled.`;
  if (job.status !== 'completed') return `${what} failed: ${job.error ?? 'the job did not end by itself.'}`;
  if (target.type === 'crawl' && job.completed >= job.limit)
    return `${what} reached its limit of ${job.limit} pages. Raise \`crawlOptions.limit\`.`;
  return undefined;
}
