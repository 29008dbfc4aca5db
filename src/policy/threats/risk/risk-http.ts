// Asks a risk service over HTTP for a short JSON answer. What goes wrong becomes a failure without URL and secrets.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { Egress, EgressRequest } from '../../../net/egress.ts';
import { readBodyStart } from '../../../net/http/response-body.ts';
import type { RiskFailure } from './risk-service.ts';

type Request = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;

export interface JsonAnswer {
  json: unknown;
  headers: Record<string, string>;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const RESOLVE_MS = 1_000;
const MAX_WAIT_SECONDS = 86_400;

export async function askJson(
  egress: Pick<Egress, 'request'>,
  request: Request,
  signal: AbortSignal,
): Promise<JsonAnswer | RiskFailure> {
  try {
    const headers = { accept: 'application/json', ...request.headers };
    const sent = { ...request, headers, route: 'operator', verifyTls: true, resolveMs: RESOLVE_MS } as const;
    const { status, headers: received, body } = await egress.request(sent, signal);
    if (status < 200 || status > 299) {
      body.destroy();
      return { failure: `it answered with status ${status}`, ...waitOf(received) };
    }
    const { bytes, isWhole } = await readBodyStart(body, MAX_ANSWER_BYTES);
    if (!isWhole) return { failure: 'its answer is too large' };
    return readJson(new TextDecoder().decode(bytes), received);
  } catch (error) {
    signal.throwIfAborted();
    return {
      failure: error instanceof ServiceError ? `it could not be reached (${error.code})` : 'it could not be reached',
    };
  }
}

function readJson(text: string, headers: Record<string, string>): JsonAnswer | RiskFailure {
  try {
    return { json: JSON.parse(text), headers };
  } catch {
    return { failure: 'its answer is not JSON' };
  }
}

function waitOf(headers: Record<string, string>): Pick<RiskFailure, 'retryAfterMs'> {
  const seconds = headers['retry-after']?.trim() ?? '';
  return /^\d{1,8}$/.test(seconds) ? { retryAfterMs: Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1_000 } : {};
}
