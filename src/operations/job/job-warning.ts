// Explains why a job may have fewer pages than expected.
import type { JobView } from '../../store/job-store.ts';

const FEW_PAGES = 1;

export function jobWarning(job: JobView, errorsPath: string): string | undefined {
  const notes: string[] = [];
  if (job.blocked > 0) {
    notes.push(
      `robots.txt forbids ${pages(job.blocked)}. GET ${errorsPath} lists them; set \`ignoreRobotsTxt\` to crawl them.`,
    );
  }
  if (job.failed > 0) notes.push(`${pages(job.failed)} could not be read. GET ${errorsPath} says why.`);
  if (isNarrow(job)) {
    notes.push(
      'Only pages below the path of the start URL are crawled, and hardly any were found. Set `crawlEntireDomain` to crawl the whole site.',
    );
  }
  return notes.length > 0 ? notes.join(' ') : undefined;
}

const pages = (count: number): string => (count === 1 ? '1 page' : `${count} pages`);

function isNarrow({ kind, status, completed, limit, url, options }: JobView): boolean {
  if (kind !== 'crawl' || status !== 'completed' || completed > FEW_PAGES || limit <= FEW_PAGES) return false;
  return !(options as { crawlEntireDomain: boolean }).crawlEntireDomain && new URL(url).pathname !== '/';
}
