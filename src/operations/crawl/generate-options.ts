// Turns a `prompt` into options of a crawl: the site is mapped, and a model chooses. What it says is untrusted, like the
// addresses that it has seen: it is validated like a caller's body, and only options about scope and pace are taken.
import {
  type CrawlRequest,
  crawlRequest,
  DEFAULT_CRAWL_LIMIT,
  type GeneratedOptions,
  generatedOptions,
} from '../../contracts/crawl/crawl.ts';
import { type MapLink, mapRequest } from '../../contracts/crawl/map.ts';
import { type ErrorDetail, ServiceError } from '../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import type { LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { LanguageModel, Models } from '../../models/language-model.ts';
import { estimateTokens, fitTokens } from '../../text/estimate-tokens.ts';
import {
  CRAWL_OPTIONS,
  CRAWL_OPTIONS_SCHEMA,
  REPAIR_CRAWL_OPTIONS,
  readCrawlOptions,
  siteLines,
} from '../../understand/prompts/tasks/crawl-options.ts';
import type { Caller } from '../caller.ts';
import { billUnforeseen } from '../charged.ts';
import type { MapDeps } from '../map/map.ts';
import { type CheckedRequest, openThreatCheck } from '../threats/open-threat-check.ts';
import { planCrawl } from './crawl-plan.ts';

export interface GenerateDeps extends Omit<MapDeps, 'linkRules'> {
  models: Models;
  linkRules: LinkRules;
}

export interface CrawlPrompt {
  url: URL;
  prompt: string;
  /** How pages of the site are asked for. */
  headers: ScrapeOptions['headers'];
  location: ScrapeOptions['location'];
  /** What the request says about the URLs that may be fetched. */
  checked: CheckedRequest;
  /** Nothing about the request may be stored or leave this machine. */
  isPrivate: boolean;
}

export interface GeneratedCrawl {
  options: GeneratedOptions;
  warning?: string;
}

const MAX_LINKS = 50;
/** The answer is based on what was found by then. */
const MAP_MS = 20_000;
const MODEL_MS = 60_000;
const ANSWER_TOKENS = 1_000;
const OVERHEAD_TOKENS = 400;
const LEAST_TOKENS = 300;

/** Throws NEEDS_MODEL or CRAWL_PROMPT_FAILED. */
export async function generateOptions(
  deps: GenerateDeps,
  caller: Caller,
  prompt: CrawlPrompt,
): Promise<GeneratedCrawl> {
  const { models, clock } = deps;
  const spending = { tokens: 0, credits: 0 };
  const deadline = clock.now() + MAP_MS + MODEL_MS;
  const chosen = models.choose('agent', { team: caller.team.id, isPrivate: prompt.isPrivate, spending, deadline });
  if ('without' in chosen) throw needsModel(chosen.without);
  const { links, problem } = await mapForPrompt(deps, caller, prompt);
  const options = await askForOptions(deps, chosen.model, { ...prompt, links }, caller.signal);
  await billUnforeseen(deps, caller, { operation: 'crawl' }, spending.credits);
  const warning = problem ?? (await emptyScope(deps.linkRules, prompt.url, options, links));
  return { options, ...(warning !== undefined && { warning }) };
}

const needsModel = (without: string): ServiceError =>
  new ServiceError('NEEDS_MODEL', {
    message: `Turning a \`prompt\` into crawl options needs a language model: ${without}. Set the options yourself, or ask the operator for a model.`,
  });

/** If the site cannot be mapped, the request does not fail: the crawl itself reports what is wrong. */
async function mapForPrompt(
  deps: GenerateDeps,
  caller: Caller,
  { url, headers, location, checked, isPrivate }: CrawlPrompt,
): Promise<{ links: MapLink[]; problem?: string }> {
  // Loaded with the first use, like the map itself. A map of sitemaps alone reads no pages, so none can be stored.
  const { findLinks } = await import('../map/map.ts');
  const request = {
    ...mapRequest.parse({
      url: url.href,
      limit: MAX_LINKS,
      ...(isPrivate && { sitemap: 'only', zeroDataRetention: true }),
    }),
    headers,
    location,
  };
  const inTime = { ...deps, limits: { ...deps.limits, patienceMs: MAP_MS } };
  try {
    const threatCheck = await openThreatCheck(deps, caller, checked);
    const { links } = await findLinks(inTime, caller, request, { threatCheck });
    return { links: links.slice(0, MAX_LINKS) };
  } catch (error) {
    caller.signal.throwIfAborted();
    // What may not be fetched is not crawled either.
    if (isUrlRefusal(error) || !(error instanceof ServiceError)) throw error;
    return {
      links: [],
      problem: `The site could not be mapped, so the options follow from the prompt alone. ${error.message}`,
    };
  }
}

type Answered = { options: GeneratedOptions } | { answer: unknown; problems: ErrorDetail[] };

async function askForOptions(
  { linkRules }: Pick<GenerateDeps, 'linkRules'>,
  model: LanguageModel,
  { url, prompt, links }: Pick<CrawlPrompt, 'url' | 'prompt'> & { links: readonly MapLink[] },
  signal: AbortSignal,
): Promise<GeneratedOptions> {
  const ask = async (instructions: string, more: Record<string, string>): Promise<Answered> => {
    const given = { request: prompt, start: url.href, ...more };
    const other = estimateTokens(instructions + JSON.stringify(CRAWL_OPTIONS_SCHEMA) + Object.values(given).join(''));
    const room = Math.max(LEAST_TOKENS, model.contextTokens - other - ANSWER_TOKENS - OVERHEAD_TOKENS);
    const material = { ...given, site: fitTokens(siteLines(links), room).text };
    const call = { instructions, schema: CRAWL_OPTIONS_SCHEMA, material, maxOutputTokens: ANSWER_TOKENS, signal };
    return check(linkRules, url, (await model.object(call)).value);
  };
  try {
    const first = await ask(CRAWL_OPTIONS, {});
    if ('options' in first) return first.options;
    const earlier = { answer: JSON.stringify(first.answer), problems: JSON.stringify(first.problems) };
    const second = await ask(REPAIR_CRAWL_OPTIONS, earlier);
    if ('options' in second) return second.options;
    throw new ServiceError('CRAWL_PROMPT_FAILED', { details: second.problems });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || error.code === 'CRAWL_PROMPT_FAILED') throw error;
    const details = [{ code: error.code, path: ['prompt'], message: error.message }];
    throw new ServiceError('CRAWL_PROMPT_FAILED', { details, cause: error });
  }
}

async function check(linkRules: LinkRules, url: URL, answer: unknown): Promise<Answered> {
  const parsed = generatedOptions.safeParse(readCrawlOptions(answer));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ code, path, message }) => ({ code, path: path.map(String), message }));
    return { answer, problems };
  }
  // A page must not be able to make a crawl larger than one without a prompt.
  const options = {
    ...parsed.data,
    ...(parsed.data.limit && { limit: Math.min(parsed.data.limit, DEFAULT_CRAWL_LIMIT) }),
  };
  try {
    await linkRules.includesStart(siteOf(url, options));
    return { options };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'BAD_REQUEST') throw error;
    return { answer, problems: error.details as ErrorDetail[] };
  }
}

/** Options that exclude everything known are legal, but seldom meant. */
async function emptyScope(
  linkRules: LinkRules,
  url: URL,
  options: GeneratedOptions,
  links: readonly MapLink[],
): Promise<string | undefined> {
  if (links.length === 0) return undefined;
  const decisions = await linkRules.decide(
    siteOf(url, options),
    links.map((link) => link.url),
  );
  if (decisions.some((decision) => decision !== 'out')) return undefined;
  return `None of the ${links.length} pages that were found on the site would be crawled with these options. Rephrase the prompt, or change them.`;
}

const siteOf = (url: URL, options: GeneratedOptions) => {
  const { url: _url, webhook: _webhook, ...rest }: CrawlRequest = crawlRequest.parse({ url: url.href, ...options });
  return planCrawl({ ...rest, baseUrl: '' }, url, url).site;
};
