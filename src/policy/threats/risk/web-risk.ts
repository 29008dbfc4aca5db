// Google Web Risk, Lookup API: says on which lists of threats a URL is.
import type { Egress } from '../../../net/egress.ts';
import type { Clock } from '../../../util/clock.ts';
import { askJson } from './risk-http.ts';
import type { RiskService } from './risk-service.ts';

export interface WebRiskSettings {
  key: string;
  /** Such as https://webrisk.googleapis.com */
  baseUrl: string;
}

const THREAT_TYPES = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];
/** The service has no scores: what is on a list is a threat. */
const LISTED_SCORE = 100;

export function createWebRisk(
  { key, baseUrl }: WebRiskSettings,
  { egress, clock }: { egress: Pick<Egress, 'request'>; clock: Pick<Clock, 'now'> },
): RiskService {
  return {
    name: 'web-risk',
    isFree: false,
    async ask(asked, signal) {
      const url = new URL(`${baseUrl}/v1/uris:search`);
      for (const type of THREAT_TYPES) url.searchParams.append('threatTypes', type);
      url.searchParams.append('uri', asked.href);
      const answer = await askJson(egress, { url, headers: { 'x-goog-api-key': key } }, signal);
      return 'failure' in answer ? answer : readAnswer(answer.json, clock.now());
    },
  };
}

/** `{}` for a URL that is on no list, else `{ threat: { threatTypes, expireTime } }`. */
function readAnswer(json: unknown, now: number) {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { failure: 'its answer is not an object' };
  const { threat } = json as { threat?: { threatTypes?: unknown; expireTime?: unknown } };
  if (threat === undefined || threat === null) return { score: 0 };
  if (!Array.isArray(threat.threatTypes)) return { failure: 'its answer names no threat types' };
  const expires = Date.parse(String(threat.expireTime));
  return { score: LISTED_SCORE, ...(expires > now && { keepMs: expires - now }) };
}
