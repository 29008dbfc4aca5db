// Any risk service with a JSON interface: gets a URL, answers with `{ "score": 0..100 }`.
import type { Egress } from '../../../net/egress.ts';
import { askJson } from './risk-http.ts';
import type { RiskAnswer, RiskService } from './risk-service.ts';

export interface JsonServiceSettings {
  /** With `{url}` the URL is put there and sent with GET; without, it is sent as `{ "url": ... }` with POST. */
  address: string;
  /** A header that carries a secret. */
  header?: { name: string; value: string };
}

const PLACE = '{url}';

export function createJsonService(
  { address, header }: JsonServiceSettings,
  egress: Pick<Egress, 'request'>,
): RiskService {
  const secret: Record<string, string> = header ? { [header.name]: header.value } : {};
  const requestFor = ({ href }: URL) =>
    address.includes(PLACE)
      ? { url: new URL(address.replaceAll(PLACE, () => encodeURIComponent(href))), headers: secret }
      : {
          url: new URL(address),
          method: 'POST' as const,
          headers: { 'content-type': 'application/json', ...secret },
          body: JSON.stringify({ url: href }),
        };
  return {
    name: 'json',
    isFree: false,
    async ask(url, signal) {
      const answer = await askJson(egress, requestFor(url), signal);
      return 'failure' in answer ? answer : readAnswer(answer.json, answer.headers['cache-control'] ?? '');
    },
  };
}

function readAnswer(json: unknown, cacheControl: string): RiskAnswer {
  const score = (json as { score?: unknown } | null)?.score;
  if (typeof score !== 'number' || !(score >= 0 && score <= 100))
    return { failure: 'its answer has no `score` from 0 to 100' };
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  const keepMs = /\bno-(?:store|cache)\b/i.test(cacheControl) ? 0 : seconds && Number(seconds) * 1_000;
  return { score, ...(typeof keepMs === 'number' && { keepMs }) };
}
