// Judges the URLs of a request before its work begins. The pages pay for being judged when they are read; if that is never to
// happen because one is refused, it is charged here.
import type { BilledOperation } from '../../contracts/team/team.ts';
import type { Caller } from '../caller.ts';
import { type AccountingDeps, billUnforeseen } from '../charged.ts';
import { type JudgeDeps, type JudgedRequest, openJudge } from './open-judge.ts';

export type CheckStartDeps = JudgeDeps & AccountingDeps;

const AT_ONCE = 10;

/** Throws ServiceError for the first URL that may not be fetched. */
export async function checkStartUrls(
  deps: CheckStartDeps,
  caller: Caller,
  request: JudgedRequest,
  { operation, urls }: { operation: BilledOperation; urls: readonly (string | URL)[] },
): Promise<void> {
  const judge = urls.length === 0 ? undefined : await openJudge(deps, caller, request);
  if (!judge) return;
  try {
    for (let at = 0; at < urls.length; at += AT_ONCE) {
      await Promise.all(urls.slice(at, at + AT_ONCE).map((url) => judge.check(new URL(url), caller.signal)));
    }
  } catch (error) {
    await billUnforeseen(deps, caller, { operation }, judge.credits());
    throw error;
  }
}
