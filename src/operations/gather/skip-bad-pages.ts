// The jobs of gathering, so that a page which takes too much time or memory, or breaks a job, costs only itself.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { GatherWork } from '../../understand/gather/gather-work.ts';
import type { ReadRow, SourcePage, WeightedPage } from '../../understand/gather/gathered.ts';

/** What a job throws because of a page. Other errors are about this server. */
const OF_PAGES = new Set<ErrorCode>(['SCRAPE_SITE_ERROR', 'UNKNOWN_ERROR']);
/** Each bad page takes a job to its limit. With more of them, the pages that were not tried alone are left out as well. */
const MAX_BAD = 3;
const MAX_NAMED = 3;
const NO_RELEVANCE = { score: 0, named: 0 };

type Batch = { weighted: readonly WeightedPage[]; details: readonly ReadRow[] };

/** Adds the URLs of bad pages to `bad`; they are left out of everything from then on. */
export function skipBadPages(jobs: GatherWork, bad: Set<string>): GatherWork {
  const isSound = ({ page }: { page: SourcePage }) => !bad.has(page.url);

  /** Runs a job over pages. If it fails, each page is tried alone, and the job runs again over those that pass. */
  async function overPages<P extends { page: SourcePage }, T>(
    pages: readonly P[],
    job: (pages: readonly P[]) => Promise<T>,
  ): Promise<T> {
    const sound = pages.filter(isSound);
    try {
      return await job(sound);
    } catch (error) {
      if (!isOfPages(error) || sound.length === 0) throw error;
      const passed = sound.length === 1 ? [] : await tryEach(sound, job);
      // If each passes alone, all of them together are too much.
      const kept = passed.length < sound.length ? passed : sound.slice(0, Math.ceil(sound.length / 2));
      for (const each of sound) if (!kept.includes(each)) bad.add(each.page.url);
      return overPages(kept, job);
    }
  }

  const ofMerge = (given: Batch, job: (batch: Batch) => ReturnType<GatherWork['merge']>) => {
    const all = [...given.weighted, ...given.details];
    return overPages<WeightedPage | ReadRow, Awaited<ReturnType<GatherWork['merge']>>>(all, (pages) =>
      job({
        weighted: pages.filter((page): page is WeightedPage => 'weight' in page),
        details: pages.filter((page): page is ReadRow => !('weight' in page)),
      }),
    );
  };

  return {
    plan: (goal) => jobs.plan(goal),
    links: (page) =>
      overPages([{ page }], async ([first]) => (first ? await jobs.links(page) : { links: [], series: [] })),
    // Links are addresses with a few words. If they cannot be ranked, they are followed in their order.
    scoreLinks: (goal, links) =>
      jobs.scoreLinks(goal, links).catch((error: unknown) => {
        if (!isOfPages(error)) throw error;
        return links.map(() => NO_RELEVANCE);
      }),
    async scorePages(goal, pages) {
      const given = pages.map((page) => ({ page }));
      const scores = new Map<SourcePage, Awaited<ReturnType<GatherWork['scorePages']>>[number]>();
      await overPages(given, async (sound) => {
        const list = sound.map(({ page }) => page);
        const found = await jobs.scorePages(goal, list);
        for (const [at, page] of list.entries()) scores.set(page, found[at]!);
      });
      return pages.map((page) => (bad.has(page.url) ? NO_RELEVANCE : (scores.get(page) ?? NO_RELEVANCE)));
    },
    merge: (schema, weighted, details) =>
      ofMerge({ weighted, details }, (batch) => jobs.merge(schema, batch.weighted, batch.details)),
    mergeFree: (pages) => overPages(pages, (sound) => jobs.mergeFree(sound)),
    answer: (prompt, pages) => overPages(pages, (sound) => jobs.answer(prompt, sound)),
  };
}

/** What callers have to know about bad pages. */
export const badPageWarnings = (bad: ReadonlySet<string>): string[] =>
  [...bad].slice(0, MAX_NAMED).map((url) => `${url} was left out: it needs too much time or memory.`);

const isOfPages = (error: unknown): boolean => error instanceof ServiceError && OF_PAGES.has(error.code);

async function tryEach<P>(pages: readonly P[], job: (pages: readonly P[]) => Promise<unknown>): Promise<P[]> {
  const passed: P[] = [];
  let failures = 0;
  for (const page of pages) {
    if (failures > MAX_BAD) break;
    try {
      await job([page]);
      passed.push(page);
    } catch (error) {
      if (!isOfPages(error)) throw error;
      failures++;
    }
  }
  return passed;
}
