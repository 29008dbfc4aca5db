// The rules about URLs in a search: results that may not be fetched are removed, and scraped pages are judged as well.
import type { SearchRequest } from '../../contracts/search/search.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Fused } from '../../search/fuse.ts';
import type { ResultCandidate } from '../../search/match/visible-result.ts';
import type { Caller } from '../caller.ts';
import { keepSafe } from '../threats/keep-safe.ts';
import { openThreatCheck, type ThreatCheckDeps, threatWarnings } from '../threats/open-threat-check.ts';

export interface SearchChecks {
  ofResults: ThreatCheck | undefined;
  ofPages: ThreatCheck | undefined;
  credits(): number;
  warnings(): string[];
}

/** Pages have a threat check of their own only if the request says something else about them. A URL is then paid for once. */
export async function openSearchChecks(
  deps: ThreatCheckDeps,
  caller: Caller,
  { threatProtection, scrapeOptions }: SearchRequest,
  { isTraceless }: { isTraceless: boolean },
): Promise<SearchChecks> {
  const { threatProtection: forPages = threatProtection, safeMode, lockdown } = scrapeOptions;
  const ofResults = await openThreatCheck(deps, caller, { threatProtection, zeroDataRetention: isTraceless });
  const isOwn = forPages !== threatProtection || safeMode || lockdown;
  const own = { threatProtection: forPages, safeMode, lockdown, zeroDataRetention: isTraceless };
  const ofPages = isOwn
    ? await openThreatCheck(deps, caller, own, { ...(ofResults && { paidBy: ofResults }) })
    : ofResults;
  return searchChecks(ofResults, ofPages, { isPaid: false });
}

/** `isPaid`: by the larger request that the search is a part of. */
export function searchChecks(
  ofResults: ThreatCheck | undefined,
  ofPages: ThreatCheck | undefined,
  { isPaid }: { isPaid: boolean },
): SearchChecks {
  const threatChecks = [...new Set([ofResults, ofPages])];
  return {
    ofResults,
    ofPages,
    credits: () => (isPaid ? 0 : threatChecks.reduce((sum, threatCheck) => sum + (threatCheck?.credits() ?? 0), 0)),
    warnings: () => threatWarnings(...threatChecks),
  };
}

export async function safeResults(
  threatCheck: ThreatCheck | undefined,
  results: Fused<ResultCandidate>[],
  signal: AbortSignal,
): Promise<Fused<ResultCandidate>[]> {
  if (!threatCheck) return results;
  // The file of a picture is not a document: own rules decide about it, which cost nothing.
  const shown = results.filter(({ result: { imageUrl } }) => {
    const url = imageUrl === undefined ? null : URL.parse(imageUrl);
    return url === null || threatCheck.allowsByRules(url);
  });
  return (await keepSafe(threatCheck, shown, ({ result }) => [result.url], signal)).kept;
}
