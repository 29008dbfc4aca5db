// A server on loopback that speaks `/v1/embeddings`. The vector of a text counts its letters, so equal texts have equal vectors.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingTestServer {
  /** The base URL. */
  url: string;
  /** The texts of each request, in order. */
  asked: string[][];
  /** The Authorization headers. */
  keys: (string | undefined)[];
  /** Answers everything so from now on; undefined: as usual. */
  answer(reply: { status: number; body: unknown } | undefined): void;
  settings(): Record<string, string>;
  close(): Promise<void>;
}

export const lettersOf = (text: string): number[] =>
  [...'aeiou'].map((letter) => (text.split(letter).length - 1) / 10 + 0.1);

export async function startEmbeddingServer(): Promise<EmbeddingTestServer> {
  const asked: string[][] = [];
  const keys: (string | undefined)[] = [];
  let reply: { status: number; body: unknown } | undefined;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { input, model } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[]; model: string };
    asked.push(input);
    keys.push(request.headers.authorization);
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: lettersOf(text) })).reverse();
    const { status, body } = reply ?? { status: 200, body: { data, model, usage: { total_tokens: input.length } } };
    response.writeHead(request.url === '/v1/embeddings' ? status : 404, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    ...{ url, asked, keys },
    answer: (next) => {
      reply = next;
    },
    settings: () => ({
      TRAWL_EMBEDDINGS_URL: url,
      TRAWL_EMBEDDINGS_MODEL: 'letters',
      TRAWL_EMBEDDINGS_KEY: 'embedding-key-for-tests',
    }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
