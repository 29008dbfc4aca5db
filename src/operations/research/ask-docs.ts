// Documentation in the own index: pages that were fetched before from sites that look like documentation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scrapeRequest } from '../../contracts/scrape/scrape.ts';
import { type Conditions, NO_CONDITIONS } from '../../contracts/search/search-query.ts';
import type { PageHit, PageIndex, VisiblePages } from '../../index/page-index.ts';
import type { Indexer } from '../../jobs/indexer.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { Log } from '../../runtime/log.ts';
import { parseQuery } from '../../search/query/query.ts';
import { isWithin } from '../../urls/categories.ts';
import { raceAbort } from '../../util/abort.ts';
import { lazy } from '../../util/lazy.ts';
import type { PageRequest } from '../page/page-request.ts';
import { type ReadPageDeps, readPage } from '../page/read-page.ts';

export interface DocsDeps extends ReadPageDeps {
  index: Pick<PageIndex, 'web'>;
  indexer: Pick<Indexer, 'refresh' | 'wake'>;
  log: Pick<Log, 'error'>;
}

interface DocumentationSites {
  hosts: string[];
  labels: string[];
  folders: string[];
}

const SITES_FILE = join(import.meta.dirname, '../../..', 'data', 'documentation-sites.json');
const sites = lazy(() => JSON.parse(readFileSync(SITES_FILE, 'utf8')) as DocumentationSites);

/** Most pages of an index are not documentation, so more pages are searched than results needed. */
const LOOKED_AT = 200;
const READ_MS = 5_000;

/** Undefined if the index cannot be read: it is rebuilt with the next changes. */
export async function findDocs(
  { index, indexer, clock, log }: DocsDeps,
  visible: VisiblePages,
  text: string,
  sources: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<PageHit[] | undefined> {
  const hosts = sources.flatMap((source) => hostOf(source) ?? []);
  if (sources.length > 0 && hosts.length === 0) return [];
  const query = parseQuery(text);
  const clauses = query.clauses.filter(({ kind }) => kind === 'word' || kind === 'phrase');
  const search = { query: { ...query, clauses }, conditions: conditionsFor(hosts), limit: LOOKED_AT, highlights: true };
  const ask = async () => {
    await indexer.refresh(signal);
    return raceAbort(index.web({ ...search, ...visible, now: clock.now() }), signal);
  };
  const hits = await ask().catch((error: unknown) => {
    signal.throwIfAborted();
    log.error({ err: error }, 'index search failed');
    indexer.wake();
    return undefined;
  });
  // A site that the caller names is documentation, whatever it looks like.
  return hits?.filter(({ url }) => hosts.length > 0 || isDocumentation(new URL(url))).slice(0, wanted);
}

/** Whether the index has a page of each source. */
export function areIndexed(
  { index, clock }: DocsDeps,
  visible: VisiblePages,
  sources: readonly string[],
): Promise<boolean[]> {
  const search = { ...visible, query: parseQuery(''), limit: 1, highlights: false, now: clock.now() };
  return Promise.all(
    sources.map(async (source) => {
      const host = hostOf(source);
      if (host === undefined) return false;
      const query = parseQuery(`site:${host}`);
      return (await index.web({ ...search, query, conditions: conditionsFor([]) })).length > 0;
    }),
  );
}

/** The text of a page in the cache; undefined if it is not there any more. */
export async function cachedText(
  deps: DocsDeps,
  { teamId, threatCheck }: Pick<PageRequest, 'threatCheck'> & { teamId: string },
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = scrapeRequest.parse({ url, formats: ['markdown'], lockdown: true, timeout: READ_MS });
  const target = { url: new URL(url), teamId, options, threatCheck, headers: CallerHeaders.none() };
  const asked = { ...target, deadline: deps.clock.now() + READ_MS, baseUrl: '' };
  const page = await readPage(deps, asked, signal).catch(() => undefined);
  signal.throwIfAborted();
  return page && (JSON.parse(Buffer.from(page.outcome.content).toString()) as { markdown?: string }).markdown;
}

const conditionsFor = (hosts: readonly string[]): Conditions => ({ ...NO_CONDITIONS, includeDomains: hosts });

/** A host name, or the URL of a site. */
function hostOf(source: string): string | undefined {
  const name = source.trim().toLowerCase();
  const url = URL.parse(/^https?:\/\//.test(name) ? name : `http://${name}/`);
  return url && /^[^/]+\.[^/]+$/.test(url.hostname) ? url.hostname : undefined;
}

function isDocumentation({ hostname, pathname }: URL): boolean {
  const { hosts, labels, folders } = sites();
  const [label = ''] = hostname.split('.');
  return (
    hosts.some((host) => isWithin(hostname, host)) ||
    labels.includes(label) ||
    pathname.split('/').some((folder) => folders.includes(folder.toLowerCase()))
  );
}
