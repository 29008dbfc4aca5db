// Explains why a map may have fewer URLs than expected.
import { getDomain } from 'tldts';
import type { MapRequest } from '../../contracts/crawl/map.ts';
import type { MapResults } from './map-site.ts';

const MAX_PROBLEMS = 3;

interface MapContext {
  start: URL;
  sitemap: MapRequest['sitemap'];
  /** Set if the map stopped because its time was over. */
  endedAfterMs: number | undefined;
  maxPages: number;
}

export function mapWarnings(found: MapResults, context: MapContext): string[] {
  const { start, sitemap, endedAfterMs, maxPages } = context;
  const warnings = startWarnings(found);
  if (endedAfterMs !== undefined) {
    warnings.push(`The map stopped after ${endedAfterMs / 1000} seconds and may be incomplete. ${REPEAT}`);
  } else if (found.isCut) {
    warnings.push(`The map stopped after ${maxPages} pages and may be incomplete. ${REPEAT}`);
  }
  if (found.unjudged > 0) warnings.push(`${found.unjudged} URLs were left out: ${TOO_EXPENSIVE}`);
  if (found.problems.length > 0) warnings.push(sitemapWarning(found.problems));
  if (found.list.size > 1 || found.list.isFull) return warnings;
  if (sitemap === 'only') warnings.push('No sitemap lists URLs of this site. Leave out `sitemap` to follow links.');
  else if (!isBaseDomain(start)) {
    const count = `Only ${found.list.size} result(s) found.`;
    warnings.push(`${count} For broader coverage, try mapping the base domain: ${baseDomain(start)}`);
  }
  return warnings;
}

const isBaseDomain = (url: URL): boolean =>
  url.pathname === '/' && url.search === '' && url.host.replace(/^www\./, '') === baseDomain(url);

/** With the port, if it has one: sites on other ports have nothing to do with it. */
function baseDomain({ hostname, port }: URL): string {
  const domain = getDomain(hostname, { extractHostname: false }) ?? hostname;
  return port === '' ? domain : `${domain}:${port}`;
}

const TOO_EXPENSIVE =
  'comparing them with `includePaths` and `excludePaths` took too long. Use fewer or simpler expressions.';
const REPEAT = 'Repeat the request to continue: pages already read are remembered.';

function startWarnings({ start }: MapResults): string[] {
  if (start?.state === 'forbidden') return ['robots.txt forbids reading the start page, so its links are unknown.'];
  if (start?.state === 'failed') return [`The start page could not be read: ${start.error.message}`];
  if (start?.state !== 'read') return [];
  const { header, outcome } = start.page;
  if (outcome.verdict.kind !== 'content') return [outcome.verdict.reason];
  return header.status >= 400 ? [`The start page answered with status ${header.status}.`] : [];
}

function sitemapWarning(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  const first = problems.slice(0, MAX_PROBLEMS).join(' ');
  return `Some sitemaps could not be read: ${first}${more > 0 ? ` And ${more} more.` : ''}`;
}
