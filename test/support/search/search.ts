// For tests of search: the small web with the corpus, a service that has fetched it, and searches as a caller sends them.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { PROCESSES } from '../engines.ts';
import { runBatch } from '../jobs.ts';
import type { Answer, RunningService } from '../service.ts';
import { joinService, startSharedWeb } from '../shared-service.ts';
import type { Site } from '../web/reply.ts';
import { type SearchPage, searchSites } from '../web/search-pages.ts';
import { startWeb, type Web } from '../web.ts';
import { searchCorpus } from './search-corpus.ts';

export interface WebItem {
  url: string;
  title: string;
  description: string;
  position: number;
  category?: string;
  markdown?: string;
  html?: string;
  links?: string[];
  warning?: string;
  metadata?: Record<string, unknown> & { statusCode?: number; error?: string; scrapeId?: string; cacheState?: string };
  explain?: { providers: { provider: string; rank: number }[] };
}

export interface NewsItem extends Omit<WebItem, 'description'> {
  snippet: string;
  date?: string;
  imageUrl?: string;
}

export interface ImageItem {
  title: string;
  url: string;
  imageUrl: string;
  imageWidth?: number;
  imageHeight?: number;
  position: number;
}

export interface ExplainedProvider {
  source: string;
  provider: string;
  state: string;
  results: number;
  requests: number;
  ms: number;
  problem?: string;
}

export interface Found {
  success: boolean;
  id: string;
  creditsUsed: number;
  warning?: string;
  scrapeIds?: { web?: string[]; news?: string[] };
  data: { web?: WebItem[]; news?: NewsItem[]; images?: ImageItem[] };
  explain?: {
    providers: ExplainedProvider[];
    dropped: { source: string; provider: string; rank: number; url: string; reason: string }[];
    blocked?: number;
    timing: Record<string, number>;
  };
}

export interface Refused {
  success: boolean;
  code: string;
  error: string;
  details?: { path: (string | number)[]; message: string }[];
}

export const SEARCH = '/v2/search';

export async function trySearch(service: RunningService, request: object): Promise<Answer<Found & Refused>> {
  if (PROCESSES > 1) await settleIndex(service);
  return service.post(SEARCH, request);
}

/** With several processes, a page that one has read can be found through the others a moment later. */
async function settleIndex(service: RunningService): Promise<void> {
  // Each of them is asked in turn.
  for (let settled = 0; settled < PROCESSES; ) {
    const answer = await service.fetch('/v0/health/details');
    const { index } = (await answer.json()) as { index: { waiting: number } };
    settled = index.waiting === 0 ? settled + 1 : 0;
  }
}

/** A search that must succeed. */
export async function search(service: RunningService, request: object): Promise<Found> {
  const { status, body } = await trySearch(service, request);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** `host/path` of the results, in order. */
export const hostPaths = (items: readonly { url: string }[] = []): string[] => items.map(({ url }) => hostPath(url));

export function hostPath(address: string): string {
  const { hostname, pathname, search } = new URL(address);
  return hostname + pathname + search;
}

/** The small web with additional pages, whose hosts may have any name. */
export async function startSearchWeb(
  pages: readonly SearchPage[],
  start: (sites: Record<string, Site>) => Promise<Web> = startWeb,
): Promise<Web> {
  const sites = searchSites(pages);
  const web = await start(sites);
  for (const host of Object.keys(sites)) web.dns.set(host, ['127.0.0.1']);
  return web;
}

export const addressOf = (web: Web, { at }: SearchPage): string => {
  const slash = at.indexOf('/');
  return web.url(at.slice(0, slash), at.slice(slash));
};

/** Fetches all pages in one batch. */
export async function fetchPages(service: RunningService, web: Web, pages: readonly SearchPage[]): Promise<void> {
  const { status } = await runBatch(service, { urls: pages.map((page) => addressOf(web, page)) });
  assert.deepEqual([status.status, status.completed], ['completed', pages.length]);
}

export interface SearchScene {
  web: Web;
  service: RunningService;
  search(request: object): Promise<Found>;
  /** `host/path` of the web results for a query. */
  hostPaths(query: string, more?: object): Promise<string[]>;
}

/** With this setting, the files that share a service find only what they have fetched themselves. */
export const APART = { TRAWL_TEAM_ISOLATION: 'on' };

/** Joins a service and fetches the pages, by default the whole corpus, before the first test. */
export function useSearch(settings: Record<string, string> = {}, pages = searchCorpus(Date.now())): SearchScene {
  const scene = {
    search: (request) => search(scene.service, request),
    async hostPaths(query, more) {
      return hostPaths((await scene.search({ query, ...more })).data.web);
    },
  } as SearchScene;
  before(async () => {
    scene.web = await startSearchWeb(pages, startSharedWeb);
    scene.service = await joinService(scene.web, { ...APART, ...settings });
    await fetchPages(scene.service, scene.web, pages);
  });
  after(async () => {
    await scene.service?.stop();
    await scene.web?.stop();
  });
  return scene;
}
