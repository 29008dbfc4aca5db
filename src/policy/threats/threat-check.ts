// Port: the threat policy of one request, applied to every URL that it takes, finds or is redirected to.
import type { TeamSettings } from '../../contracts/team/policy.ts';
import type { ThreatProtection } from '../../contracts/threats/threat-protection.ts';

/** One threat check is one scope: a request, or one page of a job. Each URL is paid for once a scope. */
export interface ThreatCheck {
  /** Throws unsafe_domain_blocked (SAFE_MODE_BLOCKED with `safeMode`, KEY_RESTRICTED), and says which rule it was. */
  check(url: URL, signal: AbortSignal): Promise<void>;
  /**
   * Like `check`, by what costs nothing and asks nobody outside: the domains of the key, the lists of the policy and those of
   * the server. It looks at the host alone. For what a page requests besides documents.
   */
  checkHost(url: URL, signal: AbortSignal): Promise<void>;
  /** Like `check`, for lists from which unsafe URLs are removed. */
  isSafe(url: URL, signal: AbortSignal): Promise<boolean>;
  /** Asks nobody and costs nothing: the domains of the key, and the lists of the policy. For links that may never be followed. */
  allowsByRules(url: URL): boolean;
  /** What the risk services cost so far: 2 credits for each URL that one was asked about. */
  credits(): number;
  /** Whether this URL is among those that `credits` counts. */
  isPaid(url: URL): boolean;
  /** Why the policy applies less than it says, for the answer. */
  warning(): string | undefined;
}

/** What a request asks for. Plain JSON, so that it can be stored with work that goes on later. */
export interface ThreatCheckTerms {
  /** `threatProtection` of the request. */
  override?: ThreatProtection;
  /** The only domains that the key may fetch from. Empty or absent: all. */
  keyDomains?: readonly string[];
  safeMode?: boolean;
  /** The URL must not leave the machine (`lockdown`): only the lists of the policy and of the server are asked. */
  isOffline?: boolean;
}

export interface CheckedTeam {
  id: string;
  /** Looked up if absent. */
  settings?: TeamSettings;
}

export interface ThreatCheckOptions {
  /** For work that was accepted earlier. */
  isStored?: boolean;
  /** Another check of the same scope: what it has paid for is not paid for again. */
  paidBy?: Pick<ThreatCheck, 'isPaid'>;
}

export interface Threats {
  /**
   * Undefined if nothing is to be judged: without a policy that costs nothing. Throws FEATURE_NOT_ENABLED and BAD_REQUEST if
   * the team may not have these terms. With `isStored`, terms that the team may no longer have are left out instead.
   */
  checkFor(
    team: CheckedTeam,
    terms: ThreatCheckTerms,
    options?: ThreatCheckOptions,
  ): ThreatCheck | undefined | Promise<ThreatCheck | undefined>;
}
