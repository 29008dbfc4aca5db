// HTTP client for providers: uses the one egress, bounds the answers, and reports every failure as a ProviderProblem.
import { unescape as unescaped } from 'node:querystring';
import { decodeText } from '../../markup/charset.ts';
import type { Egress, EgressRequest, EgressResponse } from '../../net/egress.ts';
import { type ResponseBody, readBodyStart } from '../../net/http/response-body.ts';
import { readVersion } from '../../runtime/version.ts';
import { type Clock, systemClock } from '../../util/clock.ts';
import { type ProblemKind, ProviderProblem } from '../providers/provider-problem.ts';
import { errorProblem, jsonProblem, statusProblem } from './http-problem.ts';

export interface AskRequest {
  /** Undefined parameters are omitted. */
  url: string;
  parameters?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON with POST. */
  body?: unknown;
  /** Sent as a form with POST. */
  form?: Record<string, string>;
  /** Classifies an error response by its body (JSON, else text); undefined classifies by status. */
  problemOf?(status: number, answer: unknown): ProblemKind | undefined;
}

export interface AskAnswer {
  /** A success status. */
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Throws ProviderProblem, or the reason of `signal`. */
export interface Ask {
  json(request: AskRequest, signal: AbortSignal): Promise<unknown>;
  text(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
}

export interface AskSettings {
  /** 'operator' for a base URL that the operator set, which may be private; others must be public. */
  route?: 'provider' | 'operator';
  /** The operator's contact for the user agent: a URL or an e-mail address. */
  contact?: string;
  clock?: Pick<Clock, 'now'>;
}

const MAX_ANSWER_BYTES = 5 * 1024 * 1024;
/** Enough of an error response to read its message. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** Without a network, searches should not wait longer than this for DNS. */
const RESOLVE_MS = 1_000;

export function createAsk(egress: Pick<Egress, 'request'>, settings: AskSettings = {}): Ask {
  const { route = 'provider', contact, clock = systemClock } = settings;
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
      return {
        status: response.status,
        headers: response.headers,
        text: textOf(bytes, response.headers['content-type'] ?? ''),
      };
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

/** Self-hosted search engines are often behind a password, which operators put into the URL. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const plain = `${unescaped(username)}:${unescaped(password)}`;
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

async function readAnswer(body: ResponseBody): Promise<Uint8Array> {
  const { bytes, isWhole } = await readBodyStart(body, MAX_ANSWER_BYTES);
  if (!isWhole) throw new ProviderProblem('malformed', 'its answer is too large');
  return bytes;
}

const textOf = (bytes: Uint8Array, contentType: string): string =>
  decodeText(bytes, contentType, { html: contentType.includes('html') }).text;

/** Lets the adapter classify an error response by its body. An unreadable body is classified by status. */
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
