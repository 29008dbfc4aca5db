// Crawl: starts at one page and follows sitemaps and links as far as the options allow. Each page is a task of a job.
import type {
  ActiveCrawlsResponse,
  CrawlRequest,
  CrawlResponse,
  GeneratedOptions,
} from '../../contracts/crawl/crawl.ts';
import { isInReach } from '../../policy/keys/key-reach.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import type { JobStore } from '../../store/ports/jobs/job-store.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { hideActions, hideHeaders } from '../hidden-values.ts';
import { pauseOf } from '../job/job-status.ts';
import { checkStart, checkWebhook, type JobDeps, type JobStart, startJob } from '../job/start-job.ts';
import { type CapabilityDeps, checkCapabilities } from '../page/checks/check-capabilities.ts';
import { checkSchemas, type SchemaDeps } from '../page/checks/check-schemas.ts';
import { mayStore } from '../page/page-request.ts';
import { targetUrl } from '../page/target-url.ts';
import { retentionOf } from '../team/retention.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';
import type { CheckedRequest } from '../threats/open-threat-check.ts';
import { startedWith, storedLimits } from '../threats/stored-limits.ts';
import type { CrawlOptions } from './crawl-plan.ts';
import type { GenerateDeps } from './generate-options.ts';

export type StartCrawlDeps = JobDeps & CapabilityDeps & SchemaDeps & GenerateDeps & CheckStartDeps;

export const crawl = (deps: StartCrawlDeps, { caller, body, ...start }: Call<'crawl'>): Promise<CrawlResponse> =>
  startCrawl(deps, caller, body, start);

export async function startCrawl(
  deps: StartCrawlDeps,
  caller: Caller,
  request: CrawlRequest,
  start: JobStart,
): Promise<CrawlResponse> {
  const { baseUrl } = start;
  const keptMs = retentionOf(deps, caller, request);
  const { scrapeOptions, zeroDataRetention, archive = scrapeOptions.archive } = request;
  const checked = checkedRequest(request);
  checkCapabilities({ ...scrapeOptions, archive, zeroDataRetention }, deps, ['scrapeOptions']);
  await checkSchemas(deps, caller, scrapeOptions, ['scrapeOptions']);
  const url = targetUrl(request.url, deps.egress);
  await checkStartUrls(deps, caller, checked, { operation: 'crawl', urls: [url] });
  const webhook = await checkWebhook(deps, caller, checked, { webhook: request.webhook, operation: 'crawl' });
  const generated = await optionsOfPrompt(deps, caller, request, url, start);
  const { url: _url, webhook: _webhook, ...rest } = { ...request, ...generated?.wins };
  const options: CrawlOptions = { ...rest, ...storedLimits(caller), baseUrl };
  const id = await startJob(
    deps,
    caller,
    {
      kind: 'crawl',
      url: url.href,
      ...(mayStore({ ...scrapeOptions, zeroDataRetention }) && { target: url.href }),
      options,
      webhook,
      limit: options.limit,
      zeroDataRetention: options.zeroDataRetention,
      retentionMs: keptMs,
      tasks: await tasksOf(deps, options, url, request.url),
    },
    start,
  );
  const answer = { success: true, id, url: `${baseUrl}/v2/crawl/${id}` } as const;
  if (!generated) return answer;
  return { ...answer, promptGeneratedOptions: generated.said, finalCrawlerOptions: crawlerOptions(options) };
}

interface PromptedOptions {
  /** What the model said. */
  said: GeneratedOptions;
  /** Without what the caller has set, be it to its default. */
  wins: GeneratedOptions;
}

async function optionsOfPrompt(
  deps: StartCrawlDeps,
  caller: Caller,
  request: CrawlRequest,
  url: URL,
  { idempotencyKey, given = [] }: JobStart,
): Promise<PromptedOptions | undefined> {
  const { prompt, scrapeOptions, zeroDataRetention } = request;
  if (prompt === undefined) return undefined;
  await checkStart(deps, caller, idempotencyKey);
  const { headers, location } = scrapeOptions;
  const isPrivate = !mayStore({ ...scrapeOptions, zeroDataRetention });
  const { generateOptions } = await import('./generate-options.ts');
  const { options } = await generateOptions(deps, caller, {
    ...{ url, prompt, headers, location, isPrivate },
    checked: checkedRequest(request),
  });
  const isFree = ([name]: [string, unknown]) => !given.includes(name);
  return { said: options, wins: Object.fromEntries(Object.entries(options).filter(isFree)) };
}

const checkedRequest = ({ scrapeOptions, zeroDataRetention, threatProtection }: CrawlRequest): CheckedRequest => ({
  ...scrapeOptions,
  zeroDataRetention,
  threatProtection: threatProtection ?? scrapeOptions.threatProtection,
});

/** Without what belongs to the pages and to the request. */
const crawlerOptions = ({
  scrapeOptions: _pages,
  threatProtection: _protection,
  keyDomains: _domains,
  prompt: _prompt,
  origin: _origin,
  integration: _integration,
  baseUrl: _baseUrl,
  ...options
}: CrawlOptions): Record<string, unknown> => options;

async function tasksOf(
  { linkRules }: StartCrawlDeps,
  options: CrawlOptions,
  url: URL,
  given: string,
): Promise<NewTask[]> {
  // Loaded on first use: an idle service does not need them.
  const [{ planCrawl }, { firstTasks }] = await Promise.all([import('./crawl-plan.ts'), import('./first-tasks.ts')]);
  return firstTasks(linkRules, planCrawl(options, url, url), given);
}

/** Everyone with a key of the team sees them, so values of headers and what actions do stay hidden. */
function shownOptions({ scrapeOptions, keyDomains: _, ...options }: Partial<CrawlOptions>): Record<string, unknown> {
  if (!scrapeOptions) return options;
  const headers = hideHeaders(scrapeOptions.headers);
  const actions = hideActions(scrapeOptions.actions);
  return { ...options, scrapeOptions: { ...scrapeOptions, headers, actions } };
}

interface ActiveCrawlsDeps {
  jobs: Pick<JobStore, 'unfinished'>;
}

export async function activeCrawls(
  { jobs }: ActiveCrawlsDeps,
  { caller }: Call<'activeCrawls' | 'ongoingCrawls'>,
): Promise<ActiveCrawlsResponse> {
  const running = await jobs.unfinished(caller.team.id);
  return {
    success: true,
    crawls: running
      .filter(({ kind, options }) => kind === 'crawl' && isInReach(caller, startedWith(options)))
      .map(({ id, teamId, url, createdAt, pausedAt, options, limit }) => ({
        id,
        teamId,
        url,
        created_at: iso(createdAt),
        ...pauseOf({ pausedAt }),
        options: { ...shownOptions(options as Partial<CrawlOptions>), limit },
      })),
  };
}

export const ongoingCrawls = activeCrawls;
