// How a provider is asked over HTTP: by the one egress, bounded, and with every failure as a ProviderProblem.
import { unescape as unescaped } from 'node:querystring';
import { decodeText } from '../../markup/charset.ts';
import type { Egress, EgressRequest, EgressResponse } from '../../net/egress.ts';
import { type ResponseBody, readBodyStart } from '../../net/http/response-body.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import { readVersion } from '../../util/version.ts';
import { type ProblemKind, ProviderProblem } from '../providers/provider-problem.ts';
import { errorProblem, jsonProblem, statusProblem } from './http-problem.ts';

export interface AskRequest {
  /** Below the provider's base address; parameters that are undefined are left out. */
  url: string;
  parameters?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. */
  body?: unknown;
  /** Sent as a form by POST. */
  form?: Record<string, string>;
  /** What a refusal means in the provider's own words (JSON, else text); undefined leaves it to the status. */
  problemOf?(status: number, answer: unknown): ProblemKind | undefined;
}

export interface AskAnswer {
  headers: Record<string, string>;
  text: string;
}

/** Throws ProviderProblem; only an abort keeps its own reason. */
export interface Ask {
  json(request: AskRequest, signal: AbortSignal): Promise<unknown>;
  text(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
}

export interface AskSettings {
  /** 'operator' for an address that the operator set, which may be private; the provider's own is public or refused. */
  route?: 'direct' | 'operator';
  /** Who is behind the requests: a URL or an address. */
  contact?: string;
  clock?: Pick<Clock, 'now'>;
}

const MAX_ANSWER_BYTES = 5 * 1024 * 1024;
/** Of an answer that is a refusal: enough for its words. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** A name that takes longer is as good as none: without a network, no search is to wait for it. */
const RESOLVE_MS = 1_000;

export function createAsk(egress: Pick<Egress, 'request'>, settings: AskSettings = {}): Ask {
  const { route = 'direct', contact, clock = systemClock } = settings;
  const userAgent = `Trawl/${readVersion()}${contact === undefined ? '' : ` (+${contact})`}`;

  const exchange = async (request: AskRequest, accept: string, signal: AbortSignal): Promise<AskAnswer> => {
    const outgoing = outgoingOf(request, { 'user-agent': userAgent, accept });
    try {
      const response = await egress.request({ ...outgoing, route, verifyTls: true, resolveMs: RESOLVE_MS }, signal);
      if (response.status < 200 || response.status > 299) {
        const kind = await kindInWords(response, request);
        response.body.destroy();
        throw statusProblem(response, clock.now(), kind);
      }
      const bytes = await readAnswer(response.body);
      return { headers: response.headers, text: textOf(bytes, response.headers['content-type'] ?? '') };
    } catch (error) {
      signal.throwIfAborted();
      throw errorProblem(error);
    }
  };

  return {
    text: (request, signal) => exchange(request, '*/*', signal),
    async json(request, signal) {
      const { text } = await exchange(request, 'application/json', signal);
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw jsonProblem(text);
      }
    },
  };
}

type Outgoing = Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;

function outgoingOf({ url: address, parameters = {}, headers, body, form }: AskRequest, ours: Record<string, string>) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  const all: Record<string, string> = { ...ours, ...credentialsOf(url), ...lowerCase(headers) };
  url.username = '';
  url.password = '';
  const outgoing: Outgoing = { url, headers: all };
  if (body === undefined && form === undefined) return outgoing;
  all['content-type'] ??= form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    ...outgoing,
    method: 'POST',
    body: form ? new URLSearchParams(form).toString() : JSON.stringify(body),
  } as const;
}

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Many who run a search engine of their own have put it behind a password, which their address then holds. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const plain = `${unescaped(username)}:${unescaped(password)}`;
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

async function readAnswer(body: ResponseBody): Promise<Uint8Array> {
  const { bytes, isWhole } = await readBodyStart(body, MAX_ANSWER_BYTES);
  if (!isWhole) throw new ProviderProblem('malformed', 'its answer is larger than is read');
  return bytes;
}

const textOf = (bytes: Uint8Array, contentType: string): string =>
  decodeText(bytes, contentType, { html: contentType.includes('html') }).text;

/** What a refusal says in words, if the provider's adapter can read them; the status is enough to go on with. */
async function kindInWords(response: EgressResponse, { problemOf }: AskRequest): Promise<ProblemKind | undefined> {
  if (!problemOf) return undefined;
  const start = await readBodyStart(response.body, MAX_REFUSAL_BYTES).catch(() => undefined);
  return start && problemOf(response.status, jsonOrText(textOf(start.bytes, response.headers['content-type'] ?? '')));
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
