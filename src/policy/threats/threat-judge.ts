// Port: the threat policy of one request, applied to every URL that it takes, finds or is redirected to.

export interface ThreatJudge {
  /** Throws unsafe_domain_blocked, and says which rule it was. Each URL is consulted once a scope. */
  check(url: URL, signal: AbortSignal): Promise<void>;
  /** Like `check`, for lists of which unsafe URLs are removed. */
  isSafe(url: URL, signal: AbortSignal): Promise<boolean>;
  /** What the risk services cost so far: 2 credits for each URL that one was asked about. */
  credits(): number;
  /** Why the policy applies less than it says, for the answer. */
  warning(): string | undefined;
}
