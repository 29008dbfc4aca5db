// Keeps what goes over the wire for one page. A body is kept as it was received: without its transfer coding, which belongs to
// the connection, and with its content coding, which readers of archives undo as browsers do.
import { createHash } from 'node:crypto';
import type { WireExchange } from '../page/exchange.ts';
import { statusText } from './http/status-text.ts';

export interface Recorder {
  /** Call it when the head of the response is there. */
  begin(sent: RequestHead, received: ReceivedHead): Recording;
  /** All of them, in the order of their responses. Bodies that still arrive are given a moment. */
  exchanges(): Promise<WireExchange[]>;
}

export interface RequestHead {
  url: URL;
  method: string;
  headers: HeaderLines;
}

export interface ReceivedHead {
  status: number;
  statusText?: string;
  headers: HeaderLines;
  /** The client has undone the content coding already. */
  isDecoded?: boolean;
}

/** The body as it arrives. */
export interface Recording {
  add(chunk: Uint8Array): void;
  /** The last chunk was there. */
  end(): void;
  /** The rest will not arrive. */
  cut(): void;
}

export type HeaderLines = readonly (readonly [name: string, value: string])[];

interface RecorderOptions {
  now(): number;
  /** Headers of the caller, in lower case: what they say is for the site alone. */
  secret?: ReadonlySet<string>;
  /** For all bodies together; what comes after it is left out. */
  maxBytes?: number;
}

interface Kept extends Omit<WireExchange, 'body' | 'digest'> {
  chunks: Uint8Array[];
  isOpen: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_EXCHANGES = 2_000;
/** A page that is done does not wait long for what it did not need. */
const LAST_BYTES_MS = 2_000;
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const CODINGS = new Set(['content-encoding', 'content-length']);

export function createRecorder({ now, secret = new Set(), maxBytes = MAX_BYTES }: RecorderOptions): Recorder {
  const kept: Kept[] = [];
  let bytes = 0;
  let onClosed: () => unknown = () => {};

  const isTold = ([name]: readonly [string, string]) =>
    !CREDENTIALS.has(name.toLowerCase()) && !secret.has(name.toLowerCase()) && !name.startsWith(':');

  return {
    begin({ url, method, headers }, received) {
      if (kept.length >= MAX_EXCHANGES) return { add() {}, end() {}, cut() {} };
      const target = new URL(url);
      target.hash = '';
      const lines = received.headers.flatMap((line) => toldOf(line, received.isDecoded === true));
      const given = headers.filter(isTold);
      const hasHost = given.some(([name]) => name.toLowerCase() === 'host');
      const exchange: Kept = {
        url: target.href,
        method,
        at: now(),
        status: received.status,
        type: typeOf(received.headers),
        request: headOf(`${method} ${target.pathname}${target.search} HTTP/1.1`, [
          ...(hasHost ? [] : [['Host', target.host] as const]),
          ...given,
        ]),
        response: headOf(`HTTP/1.1 ${received.status} ${received.statusText || statusText(received.status)}`, lines),
        isTruncated: false,
        chunks: [],
        isOpen: true,
      };
      kept.push(exchange);
      const close = (isTruncated: boolean) => {
        if (!exchange.isOpen) return;
        exchange.isOpen = false;
        exchange.isTruncated ||= isTruncated;
        onClosed();
      };
      return {
        add(chunk) {
          if (!exchange.isOpen) return;
          bytes += chunk.byteLength;
          // A copy: the page itself moves on to another thread.
          if (bytes <= maxBytes) exchange.chunks.push(new Uint8Array(chunk));
          else close(true);
        },
        end: () => close(false),
        cut: () => close(true),
      };
    },
    async exchanges() {
      if (kept.some(({ isOpen }) => isOpen)) {
        const { promise: closed, resolve } = Promise.withResolvers<void>();
        const late = setTimeout(resolve, LAST_BYTES_MS);
        onClosed = () => kept.some(({ isOpen }) => isOpen) || resolve();
        await closed;
        clearTimeout(late);
      }
      return kept.map(({ chunks, isOpen, isTruncated, ...exchange }) => {
        const body = Buffer.concat(chunks);
        return {
          ...exchange,
          body,
          digest: createHash('sha256').update(body).digest('hex'),
          isTruncated: isTruncated || isOpen,
        };
      });
    },
  };
}

/** Where what is stored differs from what was sent, the header as sent gets another name, as other archives have it. */
function toldOf([name, value]: readonly [string, string], isDecoded: boolean): [string, string][] {
  const key = name.toLowerCase();
  if (key.startsWith(':')) return [];
  const isUndone = key === 'transfer-encoding' || (isDecoded && CODINGS.has(key));
  return [[isUndone ? `X-Orig-${name}` : name, value]];
}

function headOf(first: string, lines: HeaderLines): Uint8Array {
  const text = [first, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return Buffer.from(`${text}\r\n\r\n`, /[^\u0000-\u00ff]/.test(text) ? 'utf8' : 'latin1');
}

const typeOf = (headers: HeaderLines): string =>
  (headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** The lines of a flat list of names and values. */
export function pairsOf(raw: readonly string[]): HeaderLines {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at]!, raw[at + 1]!]);
  return lines;
}
