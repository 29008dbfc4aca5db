// Where each operation is: the module that exports it under its name in the route table.
import type { WorkScope } from '../runtime/work-scope.ts';
import type { Call, Operations } from './call.ts';
import { bindModules, type DepsOf, type ModuleTable } from './module-table.ts';

const activity = () => import('./team/activity.ts');
const agents = () => import('./agent/calls/agent-status.ts');
const agentStart = () => import('./agent/calls/start-agent.ts');
const answers = () => import('./answer/answer.ts');
const agentThreads = () => import('./agent/calls/thread.ts');
const agentTraces = () => import('./agent/calls/trace/trace.ts');
const archives = () => import('./archives/archives.ts');
const archiveExports = () => import('./archives/export-archive.ts');
const archiveImports = () => import('./archives/import-archive.ts');
const audit = () => import('./team/audit.ts');
const batches = () => import('./batch.ts');
const browserCode = () => import('./browser/execute.ts');
const browserProcesses = () => import('./operator/browser-processes.ts');
const browserProfiles = () => import('./browser/profiles.ts');
const browserSessions = () => import('./browser/sessions.ts');
const checks = () => import('./monitor/checks.ts');
const claims = () => import('./onboarding/claims.ts');
const collectionChanges = () => import('./collection/changes.ts');
const collectionExports = () => import('./collection/export-collection.ts');
const collectionRuns = () => import('./collection/run-collection.ts');
const collections = () => import('./collection/collections.ts');
const crawlPreviews = () => import('./crawl/preview-crawl.ts');
const crawls = () => import('./crawl/crawl.ts');
const developer = () => import('./research/developer.ts');
const extractions = () => import('./extract/extract-status.ts');
const extractionStart = () => import('./extract/start-extract.ts');
const github = () => import('./research/github.ts');
const health = () => import('./operator/health.ts');
const indexSearch = () => import('./search/index-search/index-search.ts');
const interactions = () => import('./browser/interact.ts');
const jobControl = () => import('./job/control-job.ts');
const jobDetails = () => import('./job/views/get-job.ts');
const jobExports = () => import('./job/export/export.ts');
const jobHosts = () => import('./job/views/job-hosts.ts');
const jobLists = () => import('./job/views/list-jobs.ts');
const jobPages = () => import('./job/views/job-pages.ts');
const jobStatus = () => import('./job/job-status.ts');
const keys = () => import('./team/manage-keys.ts');
const load = () => import('./team/load.ts');
const mapping = () => import('./map/map.ts');
const me = () => import('./console/me.ts');
const monitors = () => import('./monitor/monitors.ts');
const pageDeletion = () => import('./stored/delete-pages.ts');
const pageHistory = () => import('./stored/page-versions.ts');
const paper = () => import('./research/get-paper.ts');
const papers = () => import('./research/papers.ts');
const parsing = () => import('./parse/parse.ts');
const providers = () => import('./operator/providers.ts');
const queries = () => import('./query/query.ts');
const ratings = () => import('./feedback.ts');
const relatedPapers = () => import('./research/similar-papers.ts');
const scraping = () => import('./scrape.ts');
const reranking = () => import('./search/meaning/rerank.ts');
const searching = () => import('./search/search.ts');
const ranking = () => import('./team/domain-ranking.ts');
const siem = () => import('./team/siem.ts');
const storedPages = () => import('./stored/stored-pages.ts');
const teams = () => import('./team/manage-teams.ts');
const threats = () => import('./team/threat-policy.ts');
const usage = () => import('./team/usage/usage.ts');
const usageByDay = () => import('./team/usage/usage-by-day.ts');
const webhookDeliveries = () => import('./job/webhook-deliveries.ts');

const MODULES = {
  scrape: scraping,
  getScrape: scraping,
  parse: parsing,
  parseFormats: parsing,
  uploadUrl: parsing,
  crawl: crawls,
  crawlPreview: crawlPreviews,
  activeCrawls: crawls,
  ongoingCrawls: crawls,
  crawlStatus: jobStatus,
  cancelCrawl: jobStatus,
  crawlErrors: jobStatus,
  crawlPages: jobPages,
  crawlHosts: jobHosts,
  exportCrawl: jobExports,
  storeCrawlExport: jobExports,
  pauseCrawl: jobControl,
  resumeCrawl: jobControl,
  retryCrawl: jobControl,
  updateCrawl: jobControl,
  batchScrape: batches,
  batchStatus: jobStatus,
  cancelBatch: jobStatus,
  batchErrors: jobStatus,
  batchPages: jobPages,
  batchHosts: jobHosts,
  exportBatch: jobExports,
  storeBatchExport: jobExports,
  pauseBatch: jobControl,
  resumeBatch: jobControl,
  retryBatch: jobControl,
  importArchive: archiveImports,
  listArchives: archives,
  getArchive: archives,
  deleteArchive: archives,
  exportArchive: archiveExports,
  exportScrape: archiveExports,
  listJobs: jobLists,
  getJob: jobDetails,
  listDeliveries: webhookDeliveries,
  getDelivery: webhookDeliveries,
  resendDelivery: webhookDeliveries,
  testWebhook: webhookDeliveries,
  putCollection: collections,
  listCollections: collections,
  getCollection: collections,
  deleteCollection: collections,
  runCollection: collectionRuns,
  addCollectionPages: collectionRuns,
  listCollectionPages: collectionRuns,
  removeCollectionPages: collectionRuns,
  collectionChanges,
  exportCollection: collectionExports,
  map: mapping,
  search: searching,
  answer: answers,
  searchIndex: indexSearch,
  rerank: reranking,
  listHosts: storedPages,
  listPages: storedPages,
  getPage: storedPages,
  pageVersions: pageHistory,
  pageDiff: pageHistory,
  deletePages: pageDeletion,
  query: queries,
  querySchema: queries,
  searchPapers: papers,
  getPaper: paper,
  similarPapers: relatedPapers,
  searchGithub: github,
  developerSearch: developer,
  developerSearchByPost: developer,
  developerSearchAlias: developer,
  developerSearchAliasByPost: developer,
  startAgent: agentStart,
  listAgents: agents,
  agentStatus: agents,
  cancelAgent: agents,
  agentThread: agentThreads,
  agentTrace: agentTraces,
  agentSnapshot: agentTraces,
  extract: extractionStart,
  extractStatus: extractions,
  createMonitor: monitors,
  listMonitors: monitors,
  getMonitor: monitors,
  updateMonitor: monitors,
  deleteMonitor: monitors,
  runMonitor: checks,
  listChecks: checks,
  getCheck: checks,
  searchFeedback: ratings,
  feedback: ratings,
  createBrowser: browserSessions,
  createInteract: browserSessions,
  listBrowsers: browserSessions,
  listInteracts: browserSessions,
  getBrowser: browserSessions,
  getInteract: browserSessions,
  deleteBrowser: browserSessions,
  deleteInteract: browserSessions,
  executeInBrowser: browserCode,
  executeInInteract: browserCode,
  interact: interactions,
  stopInteraction: interactions,
  deleteBrowserProfile: browserProfiles,
  deleteInteractProfile: browserProfiles,
  me,
  creditUsage: usage,
  creditHistory: usage,
  tokenUsage: usage,
  tokenHistory: usage,
  teamUsage: usageByDay,
  activity,
  queueStatus: load,
  concurrencyCheck: load,
  listKeys: keys,
  createKey: keys,
  changeKey: keys,
  revokeKey: keys,
  rotateKey: keys,
  listTeams: teams,
  createTeam: teams,
  getTeam: teams,
  changeTeam: teams,
  listTeamKeys: keys,
  createTeamKey: keys,
  changeTeamKey: keys,
  revokeTeamKey: keys,
  rotateTeamKey: keys,
  threatPolicy: threats,
  setThreatPolicy: threats,
  domainRanking: ranking,
  setDomainRanking: ranking,
  auditLog: audit,
  getSiem: siem,
  setSiem: siem,
  testSiem: siem,
  listClaims: claims,
  approveClaim: claims,
  denyClaim: claims,
  healthHistory: health,
  healthDisk: health,
  listBrowserProcesses: browserProcesses,
  endBrowserProcess: browserProcesses,
  listProviders: providers,
  testProvider: providers,
  testModel: providers,
} satisfies ModuleTable<Operations>;

/** What all operations need together. */
export type OperationDeps = DepsOf<typeof MODULES>;

/** Every operation runs in the scope of its team, so that the store knows whose calls it gets. */
export const bindOperations = (deps: OperationDeps, scope: Pick<WorkScope, 'run'>): Operations =>
  bindModules(MODULES, deps, ({ caller }: Call, work) => scope.run(caller.team.id, work));
