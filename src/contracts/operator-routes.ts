// The routes with which the operator looks after the service: providers and models.
import type { ErrorCode } from './errors.ts';
import { listProvidersResponse, testResponse } from './providers.ts';

const OPERATORS: readonly ErrorCode[] = ['OPERATOR_ONLY'];

export const OPERATOR_ROUTES = {
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
