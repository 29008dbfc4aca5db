// The policy of every call that needs a key: which rate limit it counts against, which keys may make it, what it is known to
// cost before it runs, which URLs the threat policy checks, and which fields of its body ask for something that can be denied. A
// call or a field that is missing here does not compile.

import type { FormatType } from '../contracts/formats/format-traits.ts';
import { PRICES, rerankPrice } from '../contracts/prices.ts';
import type { BodyOf, KeyedOperation } from '../contracts/route-types.ts';
import type { KeyGroup, RateBucket } from '../contracts/team/policy.ts';
import type { Asked, Asks } from './asked.ts';
import { answerCost, crawlCost, interactionCost, pageCost, pagesCost, searchCost } from './budgets/known-costs.ts';

export interface CallPolicy {
  bucket: RateBucket;
  /** Keys can be restricted to groups. Absent: every key may make the call. */
  group?: KeyGroup;
  /** Completes "this key cannot": a key that is restricted in any way may not make the call. It could make a stronger one. */
  manages?: string;
  /** What the threat policy checks. Absent: it fetches nothing for its caller. */
  checks?: CheckedUrls;
  /** Served without a key too, if the operator allows it; `free`: also when the requests of the day are used up. */
  keyless?: 'counted' | 'free';
  /** Why it cannot be served without storing content: what teams read that force zero data retention on all requests. */
  stores?: string;
  /** Formats that its answer amounts to, whatever its body names. */
  makes?: readonly FormatType[];
  /** Which fields of its body ask for something that keys or teams may be denied. */
  asks?: Partial<Record<keyof Asked, boolean>>;
}

/** With what depends on the body. `given` has the names that it was sent with. */
export type RoutePolicy<Body> = CallPolicy & {
  /** What a budget must still hold for it. Absent: it costs nothing. */
  costs?: (body: Body, given: readonly string[]) => number;
} & ([keyof Asks<Body>] extends [never] ? unknown : { asks: Asks<Body> });

/** The target and its redirects, these and what links lead to, the results of a list, or what a browser opens. */
export type CheckedUrls = 'target' | 'links' | 'results' | 'navigation';

const status = (group: KeyGroup) => ({ bucket: 'crawlStatus', group }) as const;
const runStatus = (group: KeyGroup) => ({ bucket: 'extractStatus', group }) as const;
const mapCost = () => PRICES.map;
const sessionCost = () => PRICES.browserMinute;
const researchCost = () => PRICES.search;
const runCost = () => PRICES.run;
/** Papers are found by their ids: a result has no URL. */
const papers = { bucket: 'search', group: 'research', costs: researchCost } as const;
const research = { ...papers, checks: 'results' } as const;
const monitor = { bucket: 'monitor', group: 'monitor' } as const;
const collection = { bucket: 'crawlStatus', group: 'collection' } as const;
const startCollection = { bucket: 'monitor', group: 'collection', checks: 'links' } as const;
const COLLECTIONS_STORE = 'A collection consists of stored pages.';
const MONITORS_STORE = 'Monitors compare pages with those of their last check, so they have to store them.';
const EXTRACTIONS_STORE =
  'Extractions are stored until you have fetched them. Use POST /v2/scrape with the format `json`, or POST /v2/agent.';
const UPLOADS_STORE = 'Files that are sent ahead have to be stored. Send the file with POST /v2/parse.';
const ARCHIVES_STORE = 'Archives that are uploaded have to be stored. Send single files with POST /v2/parse.';
const EXPORTS_STORE = 'Exports to a bucket are stored there. Download them with GET.';
const account = { bucket: 'account' } as const;
const manage = { ...account, manages: 'manage keys or teams' } as const;
const operate = { ...account, manages: 'look after the service' } as const;
const openBrowser = {
  bucket: 'browser',
  group: 'browser',
  costs: sessionCost,
  checks: 'navigation',
  asks: { profile: true, threatProtection: true },
} as const;
const browser = { bucket: 'browserExecute', group: 'browser' } as const;
const useBrowser = { ...browser, checks: 'navigation' } as const;
const page = { formats: true, actions: true, profile: true, threatProtection: true, zeroDataRetention: true } as const;
/** These fields set what a team may do. They do not ask for it in this request. */
const teamSettings = { zeroDataRetention: false, threatProtection: false } as const;
const watched = { targets: true, zeroDataRetention: true } as const;

export const ROUTE_POLICY: { readonly [Id in KeyedOperation]: RoutePolicy<BodyOf<Id>> } = {
  scrape: {
    ...{ bucket: 'scrape', group: 'scrape', costs: pageCost, checks: 'target', keyless: 'counted' },
    asks: { url: true, ...page },
  },
  getScrape: status('scrape'),
  parse: { bucket: 'scrape', group: 'parse', costs: pageCost, keyless: 'counted', asks: page },
  parseFormats: status('parse'),
  uploadUrl: { bucket: 'scrape', group: 'parse', stores: UPLOADS_STORE },
  batchScrape: {
    ...{ bucket: 'scrape', group: 'batch-scrape', costs: pagesCost, checks: 'target' },
    asks: { urls: true, ...page },
  },
  batchStatus: status('batch-scrape'),
  cancelBatch: status('batch-scrape'),
  batchErrors: status('batch-scrape'),
  exportBatch: status('batch-scrape'),
  storeBatchExport: { bucket: 'crawl', group: 'batch-scrape', stores: EXPORTS_STORE },
  pauseBatch: status('batch-scrape'),
  resumeBatch: status('batch-scrape'),
  retryBatch: status('batch-scrape'),
  batchPages: status('batch-scrape'),
  batchHosts: status('batch-scrape'),
  crawl: {
    ...{ bucket: 'crawl', group: 'crawl', costs: crawlCost, checks: 'links' },
    asks: { url: true, scrapeOptions: true, threatProtection: true, zeroDataRetention: true },
  },
  crawlPreview: {
    ...{ bucket: 'crawl', group: 'crawl', costs: runCost, checks: 'links' },
    asks: { url: true, zeroDataRetention: true },
  },
  activeCrawls: status('crawl'),
  ongoingCrawls: status('crawl'),
  crawlStatus: status('crawl'),
  cancelCrawl: status('crawl'),
  crawlErrors: status('crawl'),
  exportCrawl: status('crawl'),
  storeCrawlExport: { bucket: 'crawl', group: 'crawl', stores: EXPORTS_STORE },
  pauseCrawl: status('crawl'),
  resumeCrawl: status('crawl'),
  updateCrawl: status('crawl'),
  retryCrawl: status('crawl'),
  crawlPages: status('crawl'),
  crawlHosts: status('crawl'),
  // Only jobs of the groups that the key may use are listed.
  listJobs: { bucket: 'crawlStatus' },
  getJob: { bucket: 'crawlStatus' },
  map: {
    ...{ bucket: 'map', group: 'map', costs: mapCost, checks: 'results' },
    asks: { url: true, threatProtection: true, zeroDataRetention: true },
  },
  search: {
    ...{ bucket: 'search', group: 'search', costs: searchCost, checks: 'results', keyless: 'counted' },
    asks: { scrapeOptions: true, enterprise: true, threatProtection: true, zeroDataRetention: true },
  },
  answer: {
    ...{ bucket: 'search', group: 'search', costs: answerCost, checks: 'results', makes: ['question'] },
    asks: { scrapeOptions: true, enterprise: true, threatProtection: true, zeroDataRetention: true },
  },
  // People search as they type: many calls a minute, each of which costs nothing.
  searchIndex: { bucket: 'account', group: 'search', checks: 'results' },
  // It fetches nothing and stores nothing.
  rerank: { bucket: 'search', group: 'search', costs: ({ documents }) => rerankPrice(documents.length) },
  searchPapers: papers,
  getPaper: { ...papers, checks: 'target' },
  similarPapers: papers,
  searchGithub: research,
  developerSearch: research,
  developerSearchByPost: research,
  developerSearchAlias: research,
  developerSearchAliasByPost: research,
  searchFeedback: { ...account, keyless: 'counted' },
  feedback: { ...account, keyless: 'counted', asks: { url: true } },
  startAgent: {
    ...{ bucket: 'extract', group: 'agent', costs: runCost, checks: 'links' },
    asks: { urls: true, threatProtection: true, zeroDataRetention: true },
  },
  listAgents: runStatus('agent'),
  agentThread: runStatus('agent'),
  agentStatus: runStatus('agent'),
  cancelAgent: runStatus('agent'),
  agentTrace: runStatus('agent'),
  agentSnapshot: runStatus('agent'),
  extract: {
    ...{ bucket: 'extract', group: 'extract', costs: runCost, checks: 'links', stores: EXTRACTIONS_STORE },
    asks: { urls: true, scrapeOptions: true, threatProtection: true, zeroDataRetention: true },
  },
  extractStatus: runStatus('extract'),
  createMonitor: { ...monitor, checks: 'links', stores: MONITORS_STORE, asks: watched },
  listMonitors: monitor,
  getMonitor: monitor,
  updateMonitor: { ...monitor, checks: 'links', stores: MONITORS_STORE, asks: watched },
  deleteMonitor: monitor,
  runMonitor: { ...monitor, costs: runCost, checks: 'links', stores: MONITORS_STORE },
  listChecks: monitor,
  getCheck: monitor,
  putCollection: {
    ...{ ...startCollection, stores: COLLECTIONS_STORE, makes: ['chunks'] },
    asks: { targets: true, scrapeOptions: true, zeroDataRetention: true },
  },
  listCollections: collection,
  getCollection: collection,
  deleteCollection: collection,
  runCollection: { ...startCollection, costs: runCost, stores: COLLECTIONS_STORE },
  addCollectionPages: { ...startCollection, stores: COLLECTIONS_STORE, asks: { urls: true } },
  listCollectionPages: collection,
  removeCollectionPages: collection,
  collectionChanges: collection,
  exportCollection: collection,
  me: account,
  creditUsage: account,
  creditHistory: account,
  tokenUsage: account,
  tokenHistory: account,
  teamUsage: account,
  activity: account,
  queueStatus: account,
  listKeys: manage,
  createKey: manage,
  changeKey: manage,
  revokeKey: manage,
  rotateKey: manage,
  listTeams: manage,
  createTeam: { ...manage, asks: teamSettings },
  getTeam: manage,
  changeTeam: { ...manage, asks: teamSettings },
  listTeamKeys: manage,
  createTeamKey: manage,
  changeTeamKey: manage,
  revokeTeamKey: manage,
  rotateTeamKey: manage,
  listHosts: status('scrape'),
  listPages: status('scrape'),
  getPage: status('scrape'),
  pageVersions: status('scrape'),
  // Comparing two large pages takes seconds of a processor.
  pageDiff: { bucket: 'scrape', group: 'scrape' },
  importArchive: { bucket: 'scrape', group: 'parse', stores: ARCHIVES_STORE },
  listArchives: status('scrape'),
  getArchive: status('scrape'),
  deleteArchive: status('scrape'),
  exportArchive: status('scrape'),
  exportScrape: status('scrape'),
  deletePages: { ...account, manages: 'delete stored pages' },
  querySchema: status('scrape'),
  // It may take seconds of a processor.
  query: { bucket: 'scrape', group: 'scrape' },
  threatPolicy: account,
  setThreatPolicy: { ...account, manages: 'change the threat policy' },
  domainRanking: account,
  setDomainRanking: { ...account, manages: 'change the ranking of domains' },
  auditLog: { ...account, manages: 'read the audit log' },
  getSiem: { ...account, manages: 'read the settings of the SIEM stream' },
  setSiem: { ...account, manages: 'change the SIEM stream' },
  testSiem: { ...account, manages: 'test the SIEM stream' },
  // Calls report on jobs of all kinds, so no group of calls fits.
  listDeliveries: { ...account, manages: 'read webhook deliveries' },
  getDelivery: { ...account, manages: 'read webhook deliveries' },
  resendDelivery: { ...account, manages: 'resend webhook deliveries' },
  // It sends a request to any address, so it counts like what starts jobs.
  testWebhook: { bucket: 'crawl', manages: 'send test events', checks: 'target', asks: { url: true } },
  concurrencyCheck: { bucket: 'crawlStatus' },
  listClaims: manage,
  approveClaim: manage,
  healthHistory: operate,
  healthDisk: operate,
  listBrowserProcesses: operate,
  endBrowserProcess: operate,
  listProviders: operate,
  testProvider: operate,
  testModel: operate,
  denyClaim: manage,
  createBrowser: openBrowser,
  createInteract: openBrowser,
  listBrowsers: browser,
  listInteracts: browser,
  getBrowser: browser,
  getInteract: browser,
  deleteBrowser: browser,
  deleteInteract: browser,
  executeInBrowser: useBrowser,
  executeInInteract: useBrowser,
  interact: { ...useBrowser, costs: interactionCost, keyless: 'counted', asks: { threatProtection: true } },
  stopInteraction: { ...browser, keyless: 'free' },
  deleteBrowserProfile: browser,
  deleteInteractProfile: browser,
};
