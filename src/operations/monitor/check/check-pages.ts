// Checks a target whose pages are scraped or crawled: reads them through a job, then compares and stores them in groups.
// Each group is a step, so that a check that was interrupted goes on with the next one.

import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { TargetResult } from '../../../contracts/monitor/monitor-check.ts';
import type { Document } from '../../../contracts/scrape/document.ts';
import type { CheckedPage } from '../../../store/ports/runs/monitor-store.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { targetUrl } from '../../page/target-url.ts';
import type { CheckContext, Degraded } from './check-context.ts';
import { pageEvents } from './check-events.ts';
import { type EndedJob, type PageTarget, runChildJob } from './child-job.ts';
import { type ComparedPage, comparePage, NO_DETAILS } from './compare-page.ts';
import { reportVanished } from './vanished-pages.ts';
import { watchedFormats } from './watched-formats.ts';

/** Pages in memory at once: the first limit for small ones, the second for large ones. */
const GROUP_PAGES = 20;
const GROUP_BYTES = 8 * 1024 * 1024;
const ERROR_GROUP = 100;

interface Group extends Degraded {
  /** How many documents it has read. */
  count: number;
  /** Pages that are there. */
  found: string[];
  errors: string[];
}

export interface CheckedTarget {
  result: TargetResult;
  isFailed: boolean;
}

export async function checkPages(context: CheckContext, target: PageTarget): Promise<CheckedTarget> {
  const { valid, invalid } = readUrls(context, target);
  if (invalid.length > 0) await saveErrors(context, target, 'invalid', invalid);
  if (valid.length === 0) return { result: resultOf(target, undefined, {}), isFailed: true };
  const job = await runChildJob(context, target, valid);
  const groups = await compareAll(context, target, job);
  const failed = await saveFailedPages(context, target, job);
  const isFailed = job.status !== 'completed';
  if (isFailed && job.completed === 0 && failed.errors.length === 0) await saveFailedJob(context, target, job, valid);
  const found = new Set(groups.flatMap((group) => group.found));
  const errors = new Set([...groups.flatMap((group) => group.errors), ...failed.errors]);
  if (target.type === 'crawl') await reportVanished(context, target, job, { found, errors, blocked: failed.blocked });
  return { result: resultOf(target, job, { degraded: groups.find(({ degraded }) => degraded)?.degraded }), isFailed };
}

function resultOf(target: PageTarget, job: EndedJob | undefined, { degraded }: Degraded): TargetResult {
  const judged = degraded === undefined ? {} : { judgeDegraded: true, degradedReason: degraded };
  if (target.type === 'crawl')
    return { targetId: target.id, type: 'crawl', ...(job && { crawlId: job.id }), ...judged };
  return { targetId: target.id, type: 'scrape', expectedJobs: job ? [job.id] : [], ...judged };
}

/** What was allowed when the monitor was made may be forbidden now. */
function readUrls({ deps }: CheckContext, target: PageTarget) {
  const valid: string[] = [];
  const invalid: { url: string; error: string }[] = [];
  for (const url of target.type === 'scrape' ? target.urls : [target.url]) {
    try {
      valid.push(targetUrl(url, deps.egress).href);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      invalid.push({ url, error: error.message });
    }
  }
  return { valid: [...new Set(valid)], invalid };
}

async function compareAll(context: CheckContext, target: PageTarget, job: EndedJob): Promise<Group[]> {
  const groups: Group[] = [];
  for (let skip = 0; skip < job.completed; ) {
    const group = await compareGroup(context, target, job, skip);
    if (group.count === 0) break;
    groups.push(group);
    skip += group.count;
  }
  return groups;
}

function compareGroup(context: CheckContext, target: PageTarget, job: EndedJob, skip: number): Promise<Group> {
  const { deps, run, tools } = context;
  const input = { targetId: target.id, skip };
  return tools.step<Group>({ key: `compare ${target.id} ${skip}`, name: 'compare', input }, async (signal) => {
    const query = { skip, limit: GROUP_PAGES, maxBytes: GROUP_BYTES };
    const { count, json } = await deps.jobs.results(job.id, query);
    const documents = JSON.parse(`[${Buffer.from(json).toString()}]`) as Document[];
    const spending = { tokens: 0, credits: 0 };
    const understanding = { asker: { team: run.teamId }, isPrivate: false, spending };
    const makers = deps.understander.tools(understanding, signal);
    const formats = watchedFormats(target.scrapeOptions.formats);
    // A lost document has no address.
    const read = documents.filter(({ metadata }) => metadata.sourceURL !== undefined);
    const compared = await Promise.all(read.map((document) => comparePage(context, target, formats, document, makers)));
    const pages = compared.filter((page): page is ComparedPage => page !== undefined);
    const saved = await deps.monitors.savePages(
      run.id,
      pages.map(({ page }) => page),
      pages.flatMap(({ version }) => version ?? []),
    );
    const degraded = pages.find((page) => page.degraded !== undefined)?.degraded;
    const judged = pages.filter(({ page, degraded: why }) => page.details.judgment && why === undefined).length;
    return {
      output: { count, ...byState(saved), ...(degraded !== undefined && { degraded }) },
      credits: judged,
      tokens: spending.tokens,
      events: pageEvents(context, saved),
    };
  });
}

const byState = (pages: readonly CheckedPage[]): Pick<Group, 'found' | 'errors'> => ({
  found: pages.filter(({ status }) => status !== 'error').map(({ url }) => url),
  errors: pages.filter(({ status }) => status === 'error').map(({ url }) => url),
});

/** Pages that the job could not read, and those that robots.txt forbids. */
async function saveFailedPages(context: CheckContext, target: PageTarget, job: EndedJob) {
  const problems = await context.tools.step({ key: `problems ${target.id}`, name: 'problems' }, async () => {
    const { errors, robotsBlocked } = await context.deps.jobs.problems(job.id);
    // Links that lead out of a crawl are also listed, but do not count as its pages.
    const pages = errors.filter(({ code }) => code !== 'EXTERNAL_LINK');
    return { output: { pages: pages.map(({ url, message }) => ({ url, error: message })), robotsBlocked } };
  });
  await saveErrors(context, target, 'failed', problems.pages);
  return { errors: problems.pages.map(({ url }) => url), blocked: new Set(problems.robotsBlocked) };
}

/** The job as a whole failed, so nothing is known about its pages. */
async function saveFailedJob(context: CheckContext, target: PageTarget, job: EndedJob, urls: string[]): Promise<void> {
  const error = job.error ?? `The pages could not be read: the job is ${job.status}.`;
  await saveErrors(
    context,
    target,
    'job',
    urls.map((url) => ({ url, error })),
  );
}

async function saveErrors(
  context: CheckContext,
  target: PageTarget,
  kind: string,
  errors: readonly { url: string; error: string }[],
): Promise<void> {
  const { deps, run, tools, request } = context;
  for (let from = 0; from < errors.length; from += ERROR_GROUP) {
    await tools.step({ key: `errors ${target.id} ${kind} ${from}`, name: 'errors' }, async () => {
      const pages = await Promise.all(
        errors.slice(from, from + ERROR_GROUP).map(async ({ url, error }): Promise<CheckedPage> => {
          const known = await deps.monitors.knownVersion(request.monitorId, target.id, url);
          const now = deps.clock.now();
          return {
            id: uuidv7(now),
            targetId: target.id,
            url,
            status: 'error',
            ...(known?.scrapeId !== undefined && { previousScrapeId: known.scrapeId }),
            error,
            details: NO_DETAILS,
            createdAt: now,
          };
        }),
      );
      const saved = await deps.monitors.savePages(run.id, pages, []);
      return {
        output: saved.length,
        events: pageEvents(
          context,
          saved.filter(({ status }) => status === 'error'),
        ),
      };
    });
  }
}
