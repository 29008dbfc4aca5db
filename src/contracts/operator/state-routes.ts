// The routes about the state of the service itself: probes, what it runs with, metrics.
import { z } from 'zod';
import { METRICS_TYPE } from '../../runtime/metrics.ts';
import { OPERATOR_ERRORS } from '../errors/route-errors.ts';
import { health, healthDetails } from './health.ts';

export const STATE_ROUTES = {
  liveness: {
    method: 'GET',
    path: '/v0/health/liveness',
    summary: 'Check that the process is alive',
    open: true,
    response: health,
  },
  readiness: {
    method: 'GET',
    path: '/v0/health/readiness',
    summary:
      'Check that the service is ready (503, with the reason, while it starts, stops or cannot write to its disk)',
    open: true,
    response: health,
    fails: ['STORAGE_UNAVAILABLE'],
  },
  healthDetails: {
    method: 'GET',
    path: '/v0/health/details',
    summary: 'See what the service runs with: language models, browser, index, storage (operator only)',
    open: true,
    operator: true,
    response: healthDetails,
    fails: OPERATOR_ERRORS,
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Get the metrics of the service for Prometheus (operator only)',
    open: true,
    operator: true,
    response: z.string(),
    contentType: METRICS_TYPE,
    fails: OPERATOR_ERRORS,
  },
} as const;
