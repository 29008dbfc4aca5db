// Counts and times every request, by its entry in the route table.
import type { FastifyInstance } from 'fastify';
import type { MeasuredAs, ServiceMetrics } from '../contracts/operator/metrics.ts';
import { type OperationId, ROUTES } from '../contracts/routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For paths that are not in the route table. */
    measuredAs?: MeasuredAs;
  }
}

type Metrics = Pick<ServiceMetrics, 'count' | 'observe'>;

const STATUSES = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' } as const;

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const operations = new Map<string, OperationId>();
  for (const [id, { method, path }] of Object.entries(ROUTES)) {
    operations.set(`${method} ${path}`, id as OperationId);
    if (method === 'GET') operations.set(`HEAD ${path}`, id as OperationId);
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.ws) return;
    // Not onResponse: the framework does not call it when the client has left.
    reply.raw.once('close', () => {
      const { url, config } = request.routeOptions;
      const operation = config?.measuredAs ?? operations.get(`${request.method} ${url}`) ?? 'none';
      measureRequest(metrics, operation, reply.raw.writableFinished ? reply.statusCode : 'aborted', reply.elapsedTime);
    });
  });
}

export function measureRequest(metrics: Metrics, operation: MeasuredAs, status: number | 'aborted', ms: number): void {
  const group = status === 'aborted' ? status : (STATUSES[Math.floor(status / 100) as keyof typeof STATUSES] ?? '5xx');
  metrics.count('trawl_requests_total', { operation, status: group });
  metrics.observe('trawl_request_seconds', ms / 1000, { operation });
}
