// Request bodies are JSON and say so. An empty one counts as {}.
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/i;

export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {});
    parse(request, body as string, (error, value) => {
      if (error) return done(new ServiceError('BAD_REQUEST_INVALID_JSON', { cause: error }));
      done(null, value);
    });
  });
}
