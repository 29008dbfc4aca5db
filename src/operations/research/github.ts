// Searches issues, pull requests and READMEs of GitHub for the older call of the public clients.
import type { SearchGithubQuery, SearchGithubResponse } from '../../contracts/search/research.ts';
import { warningOf } from '../../search/federation/provider-run.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { keepSafe, openHostCheck } from '../threats/keep-safe.ts';
import type { ThreatCheckDeps } from '../threats/open-threat-check.ts';
import { ALL_CODE, askCode, CODE_HOSTS, type CodeDeps, type FoundCode } from './ask-code.ts';
import { needAnswer, rounded } from './ask-papers.ts';
import { type BillingDeps, type BillResults, billed, inSlot } from './billing.ts';
import { passagesOf, type RankedEvidence, rankEvidence } from './evidence.ts';

const KINDS = ['issue', 'pull_request', 'readme'] as const;
const MAX_CONTENT = 10_000;

export const searchGithub = (
  deps: CodeDeps & BillingDeps & ThreatCheckDeps,
  { caller, query }: Call<'searchGithub'>,
): Promise<SearchGithubResponse> => billed(deps, caller, query.k, (bill) => findCode(deps, caller, query, bill));

async function findCode(
  deps: CodeDeps & BillingDeps & ThreatCheckDeps,
  caller: Caller,
  { query, k }: SearchGithubQuery,
  bill: BillResults,
): Promise<SearchGithubResponse> {
  const found = await inSlot(deps, caller, (signal) =>
    Promise.all(KINDS.map((kind) => askCode(deps, { text: query, filter: { ...ALL_CODE, kind }, wanted: k }, signal))),
  );
  const runs = found.flatMap((one) => one.runs);
  needAnswer(runs, CODE_HOSTS);
  const threatCheck = await openHostCheck(deps, caller);
  const { kept } = await keepSafe(threatCheck, found.flatMap(evidenceOf), ({ url }) => [url], caller.signal);
  const ranked = rankEvidence(query, kept).slice(0, k);
  const results = ranked.map((one) => resultOf(one, query));
  const warning = warningOf(runs);
  return {
    success: true,
    results,
    creditsUsed: await bill({ target: query, results: results.length, threatCheck }),
    ...(warning !== undefined && { warning }),
  };
}

const evidenceOf = ({ kind, items }: FoundCode) =>
  items.map((item) => ({ ...item, type: kind as (typeof KINDS)[number], id: item.url }));

function resultOf({ evidence, rrf, lexical }: RankedEvidence, query: string): SearchGithubResponse['results'][number] {
  const { type, repo = '', url, title, body, number } = evidence;
  const isReadme = type === 'readme';
  return {
    resultType: isReadme ? 'repo_readme' : 'github_history',
    repo,
    url,
    ...(!isReadme && { pageType: type === 'issue' ? 'issue' : 'pull', number }),
    ...(isReadme && { readmeUrl: `${url}#readme` }),
    title,
    snippet: passagesOf(body, query, 1)[0] ?? title,
    ...(body !== '' && { contentMd: body.slice(0, MAX_CONTENT).toWellFormed() }),
    scores: { rrf: rounded(rrf), lexical: rounded(lexical) },
  };
}
