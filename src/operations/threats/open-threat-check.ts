// Opens the threat check of one piece of work: a page, a list of results, a session. What it blocks is told to the security log.

import type { ServiceError } from '../../contracts/errors/errors.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import type { ThreatProtection } from '../../contracts/threats/threat-protection.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import type { CheckUrl } from '../../net/check-url.ts';
import type { SecurityLog } from '../../policy/audit/security-log.ts';
import type { ThreatCheck, ThreatCheckOptions, ThreatCheckTerms, Threats } from '../../policy/threats/threat-check.ts';
import type { Caller } from '../caller.ts';

export interface ThreatCheckDeps {
  threats: Threats;
  security: Pick<SecurityLog, 'record'>;
}

/** For whom URLs are judged. Of a job or a run, only the team and what was stored with it are known. */
export type CheckedCaller = Pick<Caller, 'key' | 'address' | 'isBackground'> & {
  team: { id: string; settings?: Caller['team']['settings'] };
  limits?: Pick<NonNullable<Caller['limits']>, 'domains'>;
};

/** What a request says about the URLs that it may fetch. */
export interface CheckedRequest {
  threatProtection?: ThreatProtection | undefined;
  safeMode?: boolean;
  lockdown?: boolean;
  /** Also set for anonymous searches: what is blocked is recorded without its host. */
  zeroDataRetention?: boolean;
}

/** Undefined if no rule applies: then nothing is judged, and nothing costs. */
export function openThreatCheck(
  { threats, security }: ThreatCheckDeps,
  caller: CheckedCaller,
  request: CheckedRequest,
  { paidBy }: Pick<ThreatCheckOptions, 'paidBy'> = {},
): ThreatCheck | undefined | Promise<ThreatCheck | undefined> {
  const { isBackground: isStored = false } = caller;
  const threatCheck = threats.checkFor(caller.team, termsOf(caller, request), { isStored, ...(paidBy && { paidBy }) });
  if (threatCheck === undefined) return undefined;
  const { key: actor, address } = caller;
  const isTraceless = request.zeroDataRetention === true || request.lockdown === true;
  const record = (url: URL, refusal: ServiceError) =>
    security.record({
      teamId: caller.team.id,
      action: refusal.code === 'KEY_RESTRICTED' ? 'key.refused' : 'threat.blocked',
      ...(actor !== undefined && { actor }),
      ...(address !== undefined && { address }),
      ...{ target: auditTarget(url), details: { rule: ruleOf(refusal) }, isTraceless },
    });
  const recorded = (opened: ThreatCheck | undefined) => opened && recordBlocks(opened, record);
  return threatCheck instanceof Promise ? threatCheck.then(recorded) : recorded(threatCheck);
}

/** Its name only: the text of a refusal contains the host, which may not be recorded for every request. */
function ruleOf({ code, details }: ServiceError): string {
  const { rule } = (details ?? {}) as { rule?: string };
  return rule ?? (code === 'KEY_RESTRICTED' ? 'domains' : code);
}

function termsOf(
  { limits }: CheckedCaller,
  { threatProtection: override, safeMode, lockdown }: CheckedRequest,
): ThreatCheckTerms {
  const keyDomains = limits?.domains;
  return {
    ...(override && { override }),
    ...(safeMode && { safeMode }),
    ...(keyDomains && keyDomains.length > 0 && { keyDomains }),
    ...(lockdown && { isOffline: true }),
  };
}

function recordBlocks(threatCheck: ThreatCheck, record: (url: URL, refusal: ServiceError) => void): ThreatCheck {
  const recording =
    (check: CheckUrl): CheckUrl =>
    async (url, signal) => {
      try {
        await check(url, signal);
      } catch (error) {
        if (isUrlRefusal(error)) record(url, error);
        throw error;
      }
    };
  return withCheck({ ...threatCheck, checkHost: recording(threatCheck.checkHost) }, recording(threatCheck.check));
}

/** The same threat check with another way to check a URL. */
export const withCheck = (threatCheck: ThreatCheck, check: ThreatCheck['check']): ThreatCheck => ({
  ...threatCheck,
  check,
  async isSafe(url, signal) {
    try {
      await check(url, signal);
      return true;
    } catch (error) {
      if (isUrlRefusal(error)) return false;
      throw error;
    }
  },
});

/** Warnings of threat checks for an answer, each once. */
export const threatWarnings = (...threatChecks: readonly (ThreatCheck | undefined)[]): string[] => [
  ...new Set(threatChecks.flatMap((threatCheck) => threatCheck?.warning() ?? [])),
];
