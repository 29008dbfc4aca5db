// Searches what developers look for: issues, pull requests, READMEs and skill files of GitHub, and documentation in the own index.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type { CodeKind } from '../../contracts/search/code-item.ts';
import {
  type Coverage,
  DEVELOPER_TYPES,
  type DeveloperRequest,
  type DeveloperResponse,
  type DeveloperType,
} from '../../contracts/search/developer.ts';
import type { PageHit, VisiblePages } from '../../index/page-index.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import { type ProviderRun, warningOf } from '../../search/federation/provider-run.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { keepSafe, openHostCheck } from '../threats/keep-safe.ts';
import type { ThreatCheckDeps } from '../threats/open-threat-check.ts';
import { askCode, type CodeDeps, type FoundCode } from './ask-code.ts';
import { areIndexed, cachedText, type DocsDeps, findDocs } from './ask-docs.ts';
import { type BillingDeps, type BillResults, billed, inSlot } from './billing.ts';
import { type DeveloperEvidence, passagesOf, rankEvidence } from './evidence.ts';

type DeveloperDeps = CodeDeps & DocsDeps & BillingDeps & ThreatCheckDeps & { asksIndex: boolean };

/** Issues are searched in at most this many repositories when only the repository can tell whether they match. */
const MAX_REPOS = 20;

type Result = DeveloperResponse['results'][number];
type Repos = NonNullable<DeveloperResponse['repos']>;

/** What one kind of results came to. */
interface Part {
  type: DeveloperType;
  coverage: Coverage;
  evidence: DeveloperEvidence[];
  runs: ProviderRun[];
}

const NO_GITHUB =
  'GitHub was not asked: set TRAWL_KEYLESS_PROVIDERS=on or TRAWL_GITHUB_API_KEY, and name github if TRAWL_SEARCH_PROVIDERS is set.';
const NO_INDEX = 'Documentation was not searched: TRAWL_SEARCH_PROVIDERS does not name the own index.';

export const developerSearch = (
  deps: DeveloperDeps,
  { caller, query }: Call<'developerSearch' | 'developerSearchAlias'>,
): Promise<DeveloperResponse> => search(deps, caller, query);
export const developerSearchAlias = developerSearch;

export const developerSearchByPost = (
  deps: DeveloperDeps,
  { caller, body }: Call<'developerSearchByPost' | 'developerSearchAliasByPost'>,
): Promise<DeveloperResponse> => search(deps, caller, body);
export const developerSearchAliasByPost = developerSearchByPost;

const search = (deps: DeveloperDeps, caller: Caller, request: DeveloperRequest): Promise<DeveloperResponse> =>
  billed(deps, caller, request.k, (bill) => searchSources(deps, caller, request, bill));

async function searchSources(
  deps: DeveloperDeps,
  caller: Caller,
  request: DeveloperRequest,
  bill: BillResults,
): Promise<DeveloperResponse> {
  const { parts, repos, sources } = await inSlot(deps, caller, async (signal) => {
    const [found, repoStates, sourceStates] = await Promise.all([
      searchParts(deps, caller, request, signal),
      describeRepos(deps, request, signal),
      request.sources.length > 0 ? raceAbort(areIndexed(deps, visibleTo(deps, caller), request.sources), signal) : [],
    ]);
    return { parts: found, repos: repoStates, sources: sourceStates };
  });
  const asked = parts.filter(({ coverage }) => coverage !== 'skipped');
  const notes = warningsOf(asked);
  if (asked.every(({ coverage }) => coverage === 'unavailable')) {
    throw new ServiceError('SOURCES_UNAVAILABLE', { message: `Nothing could be searched. ${notes.join(' ')}`.trim() });
  }
  const threatCheck = await openHostCheck(deps, caller);
  const found = parts.flatMap(({ evidence }) => evidence);
  const { kept } = await keepSafe(threatCheck, found, ({ url }) => [url], caller.signal);
  const ranked = rankEvidence(request.query, kept).slice(0, request.k);
  const results = await Promise.all(
    ranked.map(({ evidence }) => resultOf(deps, caller, threatCheck, request, evidence)),
  );
  return {
    success: true,
    results,
    coverage: coverageOf(parts),
    reranked: true,
    ...(request.repos.length > 0 && { repos }),
    ...(request.sources.length > 0 && {
      sources: request.sources.map((source, at) => ({ source, indexed: sources[at] === true })),
    }),
    creditsUsed: await bill({ target: request.query, results: results.length, threatCheck }),
    ...(notes.length > 0 && { warning: notes.join(' ') }),
  };
}

/** These requests cannot ask for valid certificates. */
const visibleTo = ({ sharing }: DeveloperDeps, { team }: Caller): VisiblePages => ({
  viewer: sharing.viewerOf(team.id),
  verifiedOnly: false,
});

async function searchParts(
  deps: DeveloperDeps,
  caller: Caller,
  request: DeveloperRequest,
  signal: AbortSignal,
): Promise<Part[]> {
  if (request.skills === 'only') {
    return [partOf('readme', await ask(deps, request, 'skill', request.repos, signal), true)];
  }
  const { types, repos } = request;
  const wants = (type: DeveloperType) => types.includes(type);
  const docs = wants('doc') ? searchDocs(deps, visibleTo(deps, caller), request, signal) : undefined;
  // GitHub knows stars, topics and licences of repositories only: then they are found first, and issues within them.
  const isNarrowed = needsRepositories(request);
  const readmes = wants('readme') || isNarrowed ? ask(deps, request, 'readme', repos, signal) : undefined;
  const scope = isNarrowed ? (await readmes!).items.map(({ repo }) => repo).slice(0, MAX_REPOS) : repos;
  const history = async (type: 'issue' | 'pull_request') =>
    isNarrowed && scope.length === 0
      ? { type, coverage: 'degraded' as const, evidence: [], runs: [] }
      : partOf(type, await ask(deps, request, type, scope, signal), !isNarrowed);
  const parts = await Promise.all([
    docs,
    wants('issue') ? history('issue') : undefined,
    wants('pull_request') ? history('pull_request') : undefined,
    wants('readme') ? readmes!.then((found) => partOf('readme', found, true)) : undefined,
  ]);
  return parts.filter((part) => part !== undefined);
}

const ask = (
  deps: DeveloperDeps,
  request: DeveloperRequest,
  kind: CodeKind,
  repos: readonly string[],
  signal: AbortSignal,
) => askCode(deps, { text: request.query, filter: filterOf(request, kind, repos), wanted: request.k }, signal);

const needsRepositories = ({ topic, license, min_stars, max_stars, fork }: DeveloperRequest): boolean =>
  topic.length > 0 || [license, min_stars, max_stars, fork].some((value) => value !== undefined);

const filterOf = (request: DeveloperRequest, kind: CodeKind, repos: readonly string[]) => {
  const { language, topic, license, min_stars, max_stars, archived, fork } = request;
  return {
    kind,
    repos,
    topics: topic,
    ...(language !== undefined && { language }),
    ...(license !== undefined && { license }),
    ...(min_stars !== undefined && { minStars: min_stars }),
    ...(max_stars !== undefined && { maxStars: max_stars }),
    ...(archived !== undefined && { archived }),
    ...(fork !== undefined && { fork }),
  };
};

function partOf(type: DeveloperType, { items, runs }: FoundCode, isWhole: boolean): Part {
  const hasFailed = runs.every(({ state }) => state !== 'answered');
  const isCut = !isWhole || runs.some(({ state }) => state !== 'answered');
  const coverage = hasFailed && items.length === 0 ? 'unavailable' : isCut ? 'degraded' : 'ok';
  const evidence = items.map((item) => ({ type, ...item, id: idOf(item) }));
  return { type, coverage, evidence, runs };
}

function idOf({ kind, repo, number, path }: FoundCode['items'][number]): string {
  if (kind === 'skill') return `readme:${repo}/${path}`;
  return kind === 'readme' ? `readme:${repo}` : `${kind}:${repo}#${number}`;
}

/** Filters of repositories leave documentation out, unless the caller names its sites. */
async function searchDocs(
  deps: DeveloperDeps,
  visible: VisiblePages,
  request: DeveloperRequest,
  signal: AbortSignal,
): Promise<Part> {
  const { query, sources, k, language, archived } = request;
  const isAboutRepos = needsRepositories(request) || language !== undefined || archived !== undefined;
  if (!deps.asksIndex || (isAboutRepos && sources.length === 0)) {
    return { type: 'doc', coverage: 'unavailable', evidence: [], runs: [] };
  }
  const hits = await findDocs(deps, visible, query, sources, k, signal);
  return { type: 'doc', coverage: hits ? 'ok' : 'unavailable', evidence: hits?.map(docEvidence) ?? [], runs: [] };
}

const docEvidence = ({ url, title, description, highlight }: PageHit, index: number): DeveloperEvidence => ({
  type: 'doc',
  id: `doc:${url}`,
  url,
  title,
  body: highlight ?? description,
  rank: index + 1,
});

async function resultOf(
  deps: DeveloperDeps,
  { team, signal }: Caller,
  threatCheck: ThreatCheck | undefined,
  { query, passages }: DeveloperRequest,
  evidence: DeveloperEvidence,
): Promise<Result> {
  const { id, type, url, title, body, license } = evidence;
  // The index has one passage ready; for more the page is read again.
  const isShort = type !== 'doc' || passages === 1;
  const text = isShort ? body : ((await cachedText(deps, { teamId: team.id, threatCheck }, url, signal)) ?? body);
  return {
    id,
    type,
    url,
    ...(title !== '' && { title }),
    passages: passagesOf(text, query, passages).map((passage) => ({ text: passage, citation_url: url })),
    ...(license && { license }),
  };
}

async function describeRepos(deps: DeveloperDeps, { repos }: DeveloperRequest, signal: AbortSignal): Promise<Repos> {
  const found = await Promise.all(
    repos.map((repo) =>
      askCode(deps, { text: '', filter: { kind: 'repository', repos: [repo], topics: [] }, wanted: 1 }, signal),
    ),
  );
  return found.map(({ items: [item] }, at) => ({
    repo: repos[at]!,
    indexed: item !== undefined,
    types: { issue: item?.hasIssues === true, pullRequest: item !== undefined, readme: item !== undefined },
  }));
}

function coverageOf(parts: Part[]): DeveloperResponse['coverage'] {
  const coverage = (type: DeveloperType) => parts.find((part) => part.type === type)?.coverage ?? 'skipped';
  return Object.fromEntries(DEVELOPER_TYPES.map((type) => [type, coverage(type)])) as DeveloperResponse['coverage'];
}

function warningsOf(parts: Part[]): string[] {
  const code = parts.filter(({ type }) => type !== 'doc');
  const docs = parts.find(({ type }) => type === 'doc');
  const runs = code.flatMap((part) => part.runs);
  const isUnasked = code.some(({ coverage }) => coverage === 'unavailable') && runs.length === 0;
  const isClosed = docs?.coverage === 'unavailable' && code.length === 0;
  return [isUnasked ? NO_GITHUB : warningOf(runs), isClosed ? NO_INDEX : undefined].filter(
    (note) => note !== undefined,
  );
}
