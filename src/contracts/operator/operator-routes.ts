// The routes with which the operator looks after the service: how it does, its browsers, its providers and models.

import type { ErrorCode } from '../errors/errors.ts';
import { endBrowserProcessResponse, listBrowserProcessesResponse } from './browser-processes.ts';
import { healthDiskResponse } from './health-disk.ts';
import { healthHistoryQuery, healthHistoryResponse } from './health-history.ts';
import { listProvidersResponse, testResponse } from './providers.ts';
import { processQuery } from './service-process.ts';

const OPERATORS: readonly ErrorCode[] = ['OPERATOR_ONLY'];
const OF_PROCESSES: readonly ErrorCode[] = [...OPERATORS, 'PROCESS_NOT_FOUND'];

export const OPERATOR_ROUTES = {
  healthHistory: {
    method: 'GET',
    path: '/v2/health/history',
    summary: 'Get the throughput, latency, queue and memory of a process during the last hour, for charts (operator)',
    query: healthHistoryQuery,
    response: healthHistoryResponse,
    fails: OF_PROCESSES,
  },
  healthDisk: {
    method: 'GET',
    path: '/v2/health/disk',
    summary: 'Get what takes up space in the data folder of a process, and how much is left (operator)',
    query: processQuery,
    response: healthDiskResponse,
    fails: OF_PROCESSES,
  },
  listBrowserProcesses: {
    method: 'GET',
    path: '/v2/health/browsers',
    summary: 'List the browser programs of all processes, for scrapes and for the sessions of all teams (operator)',
    response: listBrowserProcessesResponse,
    fails: OPERATORS,
  },
  endBrowserProcess: {
    method: 'DELETE',
    path: '/v2/health/browsers/:id',
    summary: 'Kill a browser program: pages in it are loaded again in another one, a session in it ends (operator)',
    response: endBrowserProcessResponse,
    fails: [...OPERATORS, 'BROWSER_NOT_FOUND'],
  },
  listProviders: {
    method: 'GET',
    path: '/v2/providers',
    summary: 'List the search providers and the language models, each with its state and last problem (operator)',
    response: listProvidersResponse,
    fails: OPERATORS,
  },
  testProvider: {
    method: 'POST',
    path: '/v2/providers/:name/test',
    summary: 'Ask one search provider something small now, to see whether it answers (operator)',
    response: testResponse,
    fails: [...OPERATORS, 'PROVIDER_NOT_FOUND'],
  },
  testModel: {
    method: 'POST',
    path: '/v2/models/:purpose/test',
    summary: 'Ask the language model for a purpose something small now, to see whether it answers (operator)',
    response: testResponse,
    fails: [...OPERATORS, 'PROVIDER_NOT_FOUND'],
  },
} as const;
