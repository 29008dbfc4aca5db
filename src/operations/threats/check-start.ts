// Checks the URLs of a request before its work begins. The pages pay for being checked when they are read; if that is never to
// happen because one is refused, it is charged here.
import type { BilledOperation } from '../../contracts/team/team.ts';
import type { Caller } from '../caller.ts';
import { type AccountingDeps, billUnforeseen } from '../charged.ts';
import { type CheckedRequest, openThreatCheck, type ThreatCheckDeps } from './open-threat-check.ts';

export type CheckStartDeps = ThreatCheckDeps & AccountingDeps;

const AT_ONCE = 10;

/** Throws ServiceError for the first URL that may not be fetched. */
export async function checkStartUrls(
  deps: CheckStartDeps,
  caller: Caller,
  request: CheckedRequest,
  { operation, urls }: { operation: BilledOperation; urls: readonly (string | URL)[] },
): Promise<void> {
  const threatCheck = urls.length === 0 ? undefined : await openThreatCheck(deps, caller, request);
  if (!threatCheck) return;
  try {
    for (let at = 0; at < urls.length; at += AT_ONCE) {
      await Promise.all(urls.slice(at, at + AT_ONCE).map((url) => threatCheck.check(new URL(url), caller.signal)));
    }
  } catch (error) {
    await billUnforeseen(deps, caller, { operation }, threatCheck.credits());
    throw error;
  }
}
