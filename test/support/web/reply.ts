// What a handler of the small web receives, and helpers to answer.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export interface Exchange {
  method: string;
  host: string;
  /** Path and query of the request. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  protocol: string;
  /** Number of requests to this host with this path and query, this one included. */
  visit: number;
  /** The last part of the path: `2` for `/flaky/2`. */
  tail: string;
  /** Origin of a host of the small web, with the scheme of this request. */
  origin(host: string): string;
  body(): Promise<Buffer>;
  /** Aborts when the answer is complete or the client has left, so that no timer stays. */
  signal: AbortSignal;
  response: ServerResponse;
}

export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Path -> handler. `/name/*` answers everything below it. */
export type Site = Record<string, Handler>;

export type Headers = Record<string, string | string[]>;

export const HTML = 'text/html; charset=utf-8';

type Content = string | Uint8Array;

export interface ReplyOptions {
  status?: number;
  type?: string;
  headers?: Headers;
}

/** Answers with these bytes and their length. */
export function send({ response, method }: Exchange, content: Content, options: ReplyOptions = {}): void {
  const bytes = Buffer.from(content as Uint8Array);
  response.writeHead(options.status ?? 200, {
    ...(options.type !== '' && { 'content-type': options.type ?? HTML }),
    'content-length': bytes.length,
    ...options.headers,
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

/** A handler that always gives the same answer. The content is made on the first request: what takes long, beside other work. */
export function reply(content: Content | (() => Content | Promise<Content>), options?: ReplyOptions): Handler {
  let made: Content | Promise<Content> | undefined;
  return (exchange) => {
    made ??= typeof content === 'function' ? content() : content;
    if (made instanceof Promise) return made.then((ready) => send(exchange, ready, options));
    send(exchange, made, options);
  };
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** A minimal page: a title, a heading and a paragraph. */
export const page = (title: string, body = `<p>This is the page called ${title}.</p>`, head = ''): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}</head>\n` +
  `<body><h1>${escapeHtml(title)}</h1>\n${body}</body></html>\n`;

/** Cuts the connection; over HTTP/2 only this stream. */
export function reset({ response }: Exchange): void {
  const { stream } = response as { stream?: { close(code: number): void } };
  if (stream) stream.close(2);
  else response.socket?.resetAndDestroy();
}

/** Writes directly to the connection, for answers that no HTTP library would send. HTTP/1 only. */
export function sendRaw({ response }: Exchange, text: string): void {
  response.socket?.end(text);
}
