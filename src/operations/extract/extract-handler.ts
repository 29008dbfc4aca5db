// Carries out an extraction: gathers from its URLs, or from what a search finds, and returns one object.

import type { ExtractResult, ExtractRun } from '../../contracts/agent/extract.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { TOKENS_PER_CREDIT } from '../../contracts/team/team.ts';
import type { RunHandler, RunOutcome, RunTools } from '../../jobs/runs/run-handler.ts';
import type { RunView } from '../../store/ports/runs/run-store.ts';
import type { Understander } from '../../understand/understander.ts';
import { madeWithoutModel } from '../../understand/without-model.ts';
import type { Caller } from '../caller.ts';
import { createWebTools, type WebToolsDeps } from '../gather/create-web-tools.ts';
import { type Gathered, type GatherTask, gather } from '../gather/gather.ts';
import { planQueries } from '../gather/plan-queries.ts';
import { extractEnded } from './extract-events.ts';

export interface ExtractDeps extends WebToolsDeps {
  understander: Understander;
  callerOf(run: RunView): Promise<Omit<Caller, 'signal'>>;
}

/** Without a `limit`. A single URL is one page, whatever this is. */
const DEFAULT_PAGES = 20;
const MAX_PAGES = 500;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export const createExtractHandler = (deps: ExtractDeps): RunHandler => ({
  work: (run, tools) => extract(deps, run, tools),
  endEvents: (run, outcome) => [extractEnded(run, outcome)],
});

async function extract(deps: ExtractDeps, run: RunView, tools: RunTools): Promise<RunOutcome> {
  const request = run.request as ExtractRun;
  const web = createWebTools(deps, {
    run: tools,
    caller: await deps.callerOf(run),
    partOf: { operation: 'extract', job: run.id },
    zeroDataRetention: run.zeroDataRetention,
    limits: { maxPagesPerHost: MAX_PAGES, maxCredits: NO_LIMIT },
    namedUrls: request.urls,
    location: request.scrapeOptions.location,
    options: request.scrapeOptions,
    threatProtection: request.threatProtection,
    baseUrl: request.baseUrl,
  });
  const asker = { asker: { team: run.teamId }, isPrivate: run.zeroDataRetention };
  const { work, model } = deps.understander.tools(asker, tools.signal);
  // Which model there is may change while the service is stopped; the run goes on as it began.
  const chosen = await tools.step({ key: 'model', name: 'prepare' }, async () => {
    const found = model('extract');
    return { output: 'model' in found ? { model: found.model.name } : { without: found.without } };
  });
  const hasModel = 'model' in chosen;
  const task = taskOf(request, hasModel);
  const queries = await planQueries({ tools, hasModel, model: () => model('extract') }, task);
  const { timeout } = request;
  const isTimeUp = () => timeout !== undefined && tools.elapsedMs() >= timeout;
  const gathered = await gather({ web, work: work.gather, hasModel, isTimeUp }, { ...task, queries });
  return outcomeOf(gathered, { request, chosen, tools });
}

function taskOf(request: ExtractRun, hasModel: boolean): GatherTask {
  const { urls, prompt, systemPrompt, schema, limit } = request;
  const isSearched = urls.length === 0 || request.enableWebSearch;
  return {
    ...(prompt !== undefined && { prompt }),
    ...(schema && { schema }),
    ...(hasModel && systemPrompt !== undefined && { instructions: systemPrompt }),
    urls,
    maxPages: Math.min(limit ?? Math.max(DEFAULT_PAGES, urls.length), MAX_PAGES),
    // Pages that the caller names are read as they are; links are followed only where the pages are ours to choose.
    maxHops: urls.length === 0 || request.allowExternalLinks || urls.some((url) => url.endsWith('*')) ? 1 : 0,
    search: isSearched ? 'always' : 'never',
    leavesSites: request.allowExternalLinks || urls.length === 0,
    map: {
      includeSubdomains: request.includeSubdomains,
      allowExternalLinks: request.allowExternalLinks,
      sitemap: request.ignoreSitemap ? 'skip' : 'include',
    },
  };
}

interface Ended {
  request: ExtractRun;
  chosen: { model: string } | { without: string };
  tools: RunTools;
}

function outcomeOf(gathered: Gathered, { request, chosen, tools }: Ended): RunOutcome {
  const { data, sources, citations, pages, problems, warnings } = gathered;
  if (pages.length === 0) {
    const reason = warnings.join(' ') || new ServiceError('NO_VALID_URLS').message;
    return { status: 'failed', error: `No page could be read. ${reason}`, credits: 0 };
  }
  const notes = [
    ...('without' in chosen ? [madeWithoutModel('data', chosen.without)] : []),
    ...(data === undefined ? ['The pages do not say anything of what was asked for.'] : []),
    ...(data !== undefined && problems.length > 0
      ? [`\`data\` does not fulfil the schema: ${problems.slice(0, 20).join(', ')}.`]
      : []),
    ...(gathered.stopped === 'max_time' ? ['The time of the run was over before all pages were read.'] : []),
    ...((request.limit ?? 0) > MAX_PAGES ? [`At most ${MAX_PAGES} pages are read.`] : []),
    ...warnings,
  ];
  const { credits, tokens } = tools.spent();
  const result: ExtractResult = {
    data: data ?? (request.schema?.type === 'array' ? [] : {}),
    sources,
    citations,
    ...(notes.length > 0 && { warning: notes.join(' ') }),
    pages: pages.length,
    ...('model' in chosen && tokens > 0 && { model: chosen.model }),
  };
  return { status: 'completed', result, credits: 'model' in chosen ? Math.ceil(tokens / TOKENS_PER_CREDIT) : credits };
}
