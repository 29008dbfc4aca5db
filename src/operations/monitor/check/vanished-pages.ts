// Pages of a crawled site that earlier checks knew and this one did not find again.
import type { CrawlTarget } from '../../../contracts/monitor/monitor-targets.ts';
import type { CheckedPage, KnownPage } from '../../../store/ports/runs/monitor-store.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { CheckContext } from './check-context.ts';
import { pageEvents } from './check-events.ts';
import type { EndedJob } from './child-job.ts';
import { NO_DETAILS } from './compare-page.ts';

export interface SeenPages {
  found: ReadonlySet<string>;
  errors: ReadonlySet<string>;
  /** Forbidden by robots.txt. */
  blocked: ReadonlySet<string>;
}

const GROUP = 100;

/**
 * Reports them only if the crawl has seen the whole site: it ran to its end, below its limit, and no page that was readable
 * before has failed, since only that page may link to the missing ones.
 */
export async function reportVanished(
  context: CheckContext,
  target: CrawlTarget,
  job: EndedJob,
  { found, errors, blocked }: SeenPages,
): Promise<void> {
  if (job.status !== 'completed' || job.completed >= job.limit) return;
  const { deps, tools, request } = context;
  const vanished = await tools.step({ key: `vanished ${target.id}`, name: 'vanished' }, async () => {
    const known = await deps.monitors.knownPages(request.monitorId, target.id);
    const present = known.filter(({ isGone }) => !isGone);
    if (present.some(({ url }) => errors.has(url))) return { output: [] };
    const missing = present.filter(({ url }) => !found.has(url) && !blocked.has(url));
    return { output: missing.map(({ url, scrapeId }) => ({ url, ...(scrapeId !== undefined && { scrapeId }) })) };
  });
  for (let from = 0; from < vanished.length; from += GROUP) {
    await saveVanished(context, target, vanished.slice(from, from + GROUP), from);
  }
}

function saveVanished(
  context: CheckContext,
  target: CrawlTarget,
  pages: readonly Pick<KnownPage, 'url' | 'scrapeId'>[],
  from: number,
): Promise<number> {
  const { deps, run, tools } = context;
  return tools.step({ key: `vanished ${target.id} ${from}`, name: 'vanished' }, async () => {
    const now = deps.clock.now();
    const removed = pages.map(
      ({ url, scrapeId }): CheckedPage => ({
        id: uuidv7(now),
        targetId: target.id,
        url,
        status: 'removed',
        ...(scrapeId !== undefined && { previousScrapeId: scrapeId }),
        details: NO_DETAILS,
        createdAt: now,
      }),
    );
    const versions = pages.map((page) => ({ ...page, targetId: target.id, isGone: true, seenAt: now }));
    const saved = await deps.monitors.savePages(run.id, removed, versions);
    return { output: saved.length, events: pageEvents(context, saved) };
  });
}
