// Request bodies must be JSON with a JSON content type. An empty body counts as {}, and one that arrives too slowly is aborted.
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../contracts/errors.ts';
import { answerBrokenHttp } from '../errors.ts';

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/i;

export function readJsonBodies(app: FastifyInstance, patienceMs: number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {});
    parse(request, body as string, (error, value) => {
      if (error) return done(new ServiceError('BAD_REQUEST_INVALID_JSON', { cause: error }));
      done(null, value);
    });
  });
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
