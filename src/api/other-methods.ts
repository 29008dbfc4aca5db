// Methods that a path does not take.
import type { FastifyContextConfig, FastifyInstance, HTTPMethods } from 'fastify';
import { ServiceError } from '../contracts/errors/errors.ts';

const ALL_METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  taken: readonly string[],
  config?: FastifyContextConfig,
): void {
  const allow = taken.join(', ');
  app.route({
    method: ALL_METHODS.filter((method) => !taken.includes(method)),
    url,
    ...(config && { config }),
    // Answered before the body is read, so that a bad body cannot hide the bad method.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow);
      throw new ServiceError('METHOD_NOT_ALLOWED', { message: `This path takes ${allow}.` });
    },
    handler: () => {},
  });
}
