// What a person should know who sees fewer addresses than expected.
import type { MapRequest } from '../../contracts/map.ts';
import type { MapResults } from './map-site.ts';

const PROBLEMS_TOLD = 3;

interface Circumstances {
  start: URL;
  sitemap: MapRequest['sitemap'];
  /** After which time what was found had to be enough; undefined when there was time for all. */
  endedAfterMs: number | undefined;
  maxPages: number;
}

export function mapWarnings(found: MapResults, circumstances: Circumstances): string[] {
  const { start, sitemap, endedAfterMs, maxPages } = circumstances;
  const warnings = startWarnings(found);
  if (endedAfterMs !== undefined) {
    warnings.push(`The map stopped after ${endedAfterMs / 1000} seconds and may be incomplete. ${REPEAT}`);
  } else if (found.isCut) {
    warnings.push(`The map stopped after ${maxPages} pages and may be incomplete. ${REPEAT}`);
  }
  if (found.problems.length > 0) warnings.push(sitemapWarning(found.problems));
  if (found.list.size > 1 || found.list.isFull) return warnings;
  if (sitemap === 'only') warnings.push('No sitemap lists URLs of this site. Leave out `sitemap` to follow links.');
  else if (start.pathname !== '/' || start.search !== '') {
    warnings.push(
      `Only the given URL was found. Try the root of the site, ${start.origin}/, or set \`crawlEntireDomain\`.`,
    );
  }
  return warnings;
}

const REPEAT = 'Repeat the request to continue: pages already read are remembered.';

function startWarnings({ start }: MapResults): string[] {
  if (start?.state === 'forbidden') return ['robots.txt forbids reading the start page, so its links are unknown.'];
  if (start?.state === 'failed') return [`The start page could not be read: ${start.error.message}`];
  if (start?.state !== 'read') return [];
  const { header, outcome } = start.reading;
  if (outcome.verdict.kind !== 'content') return [outcome.verdict.reason];
  return header.status >= 400 ? [`The start page answered with status ${header.status}.`] : [];
}

function sitemapWarning(problems: readonly string[]): string {
  const more = problems.length - PROBLEMS_TOLD;
  const told = problems.slice(0, PROBLEMS_TOLD).join(' ');
  return `Some sitemaps could not be read: ${told}${more > 0 ? ` And ${more} more.` : ''}`;
}
