// Requests whose path and headers are sent exactly as written: fetch would repair some of them and add others.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export const sendRaw = (url: string, path: string, { method = 'GET', headers, body }: RawRequest = {}) =>
  new Promise<RawAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, path, method, headers, agent: false }, async (answer) => {
      const content = await text(answer);
      resolve({
        status: answer.statusCode!,
        headers: answer.headers as RawAnswer['headers'],
        text: content,
        json: <T>() => JSON.parse(content) as T,
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
