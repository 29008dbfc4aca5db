// Port: a service that says how risky a URL is.

/** 0 is harmless, 100 is known to be dangerous. `keepMs`: how long the answer is valid, if the service says so. */
export type RiskAnswer = { score: number; keepMs?: number } | RiskFailure;

export interface RiskFailure {
  /** Why the service did not answer, for the log: neither the URL nor a secret. */
  failure: string;
  /** How long to leave the service alone, if it says so. */
  retryAfterMs?: number;
}

export interface RiskService {
  readonly name: string;
  /** Lists of the server itself cost nothing. */
  readonly isFree: boolean;
  /** Whatever goes wrong is a failure: it rejects only when `signal` aborts. */
  ask(url: URL, signal: AbortSignal): Promise<RiskAnswer>;
}

/** All services of the server as one. */
export interface RiskServices {
  /** False if the operator has set up none. */
  readonly isSetUp: boolean;
  assess(url: URL, terms: AssessTerms, signal: AbortSignal): Promise<Assessment>;
}

export interface AssessTerms {
  /** A score that is enough: then nobody else is asked. */
  threshold: number;
  /** Only services that do not send the URL anywhere. */
  isOffline: boolean;
}

export interface Assessment {
  /** The highest score that a service gave. */
  score: number;
  /** Whether a service that costs credits has answered. */
  isBilled: boolean;
  /** A service did not answer, and no other one gave a score that reaches the threshold. */
  hasFailed: boolean;
}

/** What the operator can set, for the answers of requests that need it. */
export const RISK_SETTINGS = 'TRAWL_WEB_RISK_KEY, TRAWL_RISK_URL or TRAWL_THREAT_LISTS';
