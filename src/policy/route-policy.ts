// The policy of every call that needs a key: which rate limit it counts against, which keys may make it, what it is known to
// cost before it runs, and which URLs the threat policy judges. A call that is missing here does not compile.
import type { KeyGroup, RateBucket } from '../contracts/policy.ts';
import type { OperationId, ROUTES } from '../contracts/routes.ts';

export interface RoutePolicy {
  bucket: RateBucket;
  /** Keys can be restricted to groups. Absent: every key may make the call. */
  group?: KeyGroup;
  /** Completes "this key cannot": a key that is restricted in any way may not make the call. It could make a stronger one. */
  manages?: string;
  /** What a budget must still hold for it; see budgets/known-costs.ts. Absent: it costs nothing. */
  costs?: CostRule;
  /** What the threat policy judges. Absent: it fetches nothing for its caller. */
  judges?: Judged;
  /** Served without a key too, if the operator allows it; `free`: also when the requests of the day are used up. */
  keyless?: 'counted' | 'free';
  /** Why it cannot be served without storing content: what teams read that force zero data retention on all requests. */
  stores?: string;
}

export type CostRule = 'page' | 'urls' | 'limit' | 'map' | 'search' | 'research' | 'session' | 'run';
/** The target and its redirects, these and what links lead to, the results of a list, or what a browser opens. */
export type Judged = 'target' | 'links' | 'results' | 'navigation';

/** A call that needs a key. */
export type KeyedCall = { [Id in OperationId]: (typeof ROUTES)[Id] extends { open: true } ? never : Id }[OperationId];

const status = (group: KeyGroup): RoutePolicy => ({ bucket: 'crawlStatus', group });
const runStatus = (group: KeyGroup): RoutePolicy => ({ bucket: 'extractStatus', group });
/** Papers are found by their ids: a result has no URL. */
const papers: RoutePolicy = { bucket: 'search', group: 'research', costs: 'research' };
const research: RoutePolicy = { ...papers, judges: 'results' };
const monitor: RoutePolicy = { bucket: 'monitor', group: 'monitor' };
const MONITORS_STORE = 'Monitors compare pages with those of their last check, so they have to store them.';
const EXTRACTIONS_STORE =
  'Extractions are stored until you have fetched them. Use POST /v2/scrape with the format `json`, or POST /v2/agent.';
const UPLOADS_STORE = 'Files that are sent ahead have to be stored. Send the file with POST /v2/parse.';
const account: RoutePolicy = { bucket: 'account' };
const manage: RoutePolicy = { ...account, manages: 'manage keys or teams' };
const operate: RoutePolicy = { ...account, manages: 'look after the service' };
const openBrowser: RoutePolicy = { bucket: 'browser', group: 'browser', costs: 'session', judges: 'navigation' };
const browser: RoutePolicy = { bucket: 'browserExecute', group: 'browser' };
const useBrowser: RoutePolicy = { ...browser, judges: 'navigation' };

export const ROUTE_POLICY: Readonly<Record<KeyedCall, RoutePolicy>> = {
  scrape: { bucket: 'scrape', group: 'scrape', costs: 'page', judges: 'target', keyless: 'counted' },
  getScrape: status('scrape'),
  parse: { bucket: 'scrape', group: 'parse', costs: 'page', keyless: 'counted' },
  parseFormats: status('parse'),
  uploadUrl: { bucket: 'scrape', group: 'parse', stores: UPLOADS_STORE },
  batchScrape: { bucket: 'scrape', group: 'batch-scrape', costs: 'urls', judges: 'target' },
  batchStatus: status('batch-scrape'),
  cancelBatch: status('batch-scrape'),
  batchErrors: status('batch-scrape'),
  exportBatch: status('batch-scrape'),
  pauseBatch: status('batch-scrape'),
  resumeBatch: status('batch-scrape'),
  retryBatch: status('batch-scrape'),
  batchPages: status('batch-scrape'),
  batchHosts: status('batch-scrape'),
  crawl: { bucket: 'crawl', group: 'crawl', costs: 'limit', judges: 'links' },
  crawlPreview: { bucket: 'crawl', group: 'crawl', costs: 'run', judges: 'links' },
  activeCrawls: status('crawl'),
  ongoingCrawls: status('crawl'),
  crawlStatus: status('crawl'),
  cancelCrawl: status('crawl'),
  crawlErrors: status('crawl'),
  exportCrawl: status('crawl'),
  pauseCrawl: status('crawl'),
  resumeCrawl: status('crawl'),
  updateCrawl: status('crawl'),
  retryCrawl: status('crawl'),
  crawlPages: status('crawl'),
  crawlHosts: status('crawl'),
  // Only jobs of the groups that the key may use are listed.
  listJobs: { bucket: 'crawlStatus' },
  getJob: { bucket: 'crawlStatus' },
  map: { bucket: 'map', group: 'map', costs: 'map', judges: 'results' },
  search: { bucket: 'search', group: 'search', costs: 'search', judges: 'results', keyless: 'counted' },
  // People search as they type: many calls a minute, each of which costs nothing.
  searchIndex: { bucket: 'account', group: 'search', judges: 'results' },
  searchPapers: papers,
  getPaper: { ...papers, judges: 'target' },
  similarPapers: papers,
  searchGithub: research,
  developerSearch: research,
  developerSearchByPost: research,
  developerSearchAlias: research,
  developerSearchAliasByPost: research,
  searchFeedback: { ...account, keyless: 'counted' },
  feedback: { ...account, keyless: 'counted' },
  startAgent: { bucket: 'extract', group: 'agent', costs: 'run', judges: 'links' },
  listAgents: runStatus('agent'),
  agentThread: runStatus('agent'),
  agentStatus: runStatus('agent'),
  cancelAgent: runStatus('agent'),
  agentTrace: runStatus('agent'),
  agentSnapshot: runStatus('agent'),
  extract: { bucket: 'extract', group: 'extract', costs: 'run', judges: 'links', stores: EXTRACTIONS_STORE },
  extractStatus: runStatus('extract'),
  createMonitor: { ...monitor, judges: 'links', stores: MONITORS_STORE },
  listMonitors: monitor,
  getMonitor: monitor,
  updateMonitor: { ...monitor, judges: 'links', stores: MONITORS_STORE },
  deleteMonitor: monitor,
  runMonitor: { ...monitor, costs: 'run', judges: 'links', stores: MONITORS_STORE },
  listChecks: monitor,
  getCheck: monitor,
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
  createTeam: manage,
  getTeam: manage,
  changeTeam: manage,
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
  deletePages: { ...account, manages: 'delete stored pages' },
  threatPolicy: account,
  setThreatPolicy: { ...account, manages: 'change the threat policy' },
  auditLog: { ...account, manages: 'read the audit log' },
  getSiem: { ...account, manages: 'read the settings of the SIEM stream' },
  setSiem: { ...account, manages: 'change the SIEM stream' },
  testSiem: { ...account, manages: 'test the SIEM stream' },
  // Calls report on jobs of all kinds, so no group of calls fits.
  listDeliveries: { ...account, manages: 'read webhook deliveries' },
  getDelivery: { ...account, manages: 'read webhook deliveries' },
  resendDelivery: { ...account, manages: 'resend webhook deliveries' },
  // It sends a request to any address, so it counts like what starts jobs.
  testWebhook: { bucket: 'crawl', manages: 'send test events', judges: 'target' },
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
  interact: { ...useBrowser, costs: 'session', keyless: 'counted' },
  stopInteraction: { ...browser, keyless: 'free' },
  deleteBrowserProfile: browser,
  deleteInteractProfile: browser,
};
