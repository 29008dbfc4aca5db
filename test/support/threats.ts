// Judges of URLs for tests: none, or one that blocks hosts and counts what it was asked.
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import type { ThreatCheckDeps } from '../../src/operations/threats/open-threat-check.ts';
import type { ThreatCheck } from '../../src/policy/threats/threat-check.ts';

/** No rule applies. */
export const noThreats: ThreatCheckDeps = { threats: { checkFor: () => undefined }, security: { record() {} } };

export interface TestJudge extends ThreatCheck {
  /** URLs, each once. */
  readonly asked: Set<string>;
}

/** Every URL costs its fee once, as if a risk service were asked about it. */
export function judgeWithout(...blocked: string[]): TestJudge {
  const asked = new Set<string>();
  const check: ThreatCheck['check'] = async ({ href, hostname }) => {
    asked.add(href);
    if (!blocked.includes(hostname)) return;
    throw new ServiceError('unsafe_domain_blocked', { message: `${hostname} is blocked (blacklist).` });
  };
  return {
    asked,
    check,
    checkHost: check,
    isSafe: (url, signal) =>
      check(url, signal).then(
        () => true,
        () => false,
      ),
    allowsByRules: ({ hostname }) => !blocked.includes(hostname),
    credits: () => asked.size * 2,
    isPaid: ({ href }) => asked.has(href),
    warning: () => undefined,
  };
}
