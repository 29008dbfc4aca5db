// Request bodies must be JSON with a JSON content type. An empty body counts as {}, and one that arrives too slowly is aborted.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { answerBrokenHttp } from '../errors.ts';
import { parseBoundedJson } from './bounded-json.ts';

export const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/i;

/** Throws BAD_REQUEST_INVALID_JSON, or BAD_REQUEST for JSON that is too complex. */
export type ReadJson = (request: FastifyRequest, bytes: Buffer) => Promise<unknown>;

export function createJsonReader(app: FastifyInstance): ReadJson {
  const parser = app.getDefaultJsonParser('error', 'error');
  return async (request, bytes) => {
    if (bytes.length === 0) return {};
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    await parseBoundedJson(bytes, (text) =>
      parser(request, text, (error, value) =>
        error ? reject(new ServiceError('BAD_REQUEST_INVALID_JSON', { cause: error })) : resolve(value),
      ),
    );
    return promise;
  };
}

export function readJsonBodies(app: FastifyInstance, patienceMs: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, createJsonReader(app));
  // The server's own time limit is that of uploads, which is too long for JSON.
  app.addHook('onRequest', async ({ raw, headers, routeOptions }, reply) => {
    if (!JSON_TYPE.test(headers['content-type'] ?? '') || routeOptions.config.isRaw || raw.complete) return;
    const timer = setTimeout(() => {
      if (!raw.complete) answerBrokenHttp(new Error('The body came too slowly.'), raw.socket);
    }, patienceMs);
    timer.unref();
    for (const stream of [raw, reply.raw]) stream.once('close', () => clearTimeout(timer));
  });
}
