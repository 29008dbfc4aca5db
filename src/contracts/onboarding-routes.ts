// The routes for getting a key. Most are open, as their callers have none.
import { z } from 'zod';
import {
  authorizationServer,
  cliApproveRequest,
  cliApproveResponse,
  cliAuthQuery,
  cliStatusRequest,
  cliStatusResponse,
  protectedResource,
} from './onboarding.ts';

const STORAGE = ['STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED'] as const;

const document = { method: 'GET', open: true, fails: ['NOT_FOUND'] } as const;
export const ONBOARDING_ROUTES = {
  protectedResource: {
    ...document,
    path: '/.well-known/oauth-protected-resource',
    summary: 'Find out how this service is authorized (RFC 9728)',
    response: protectedResource,
  },
  protectedResourceOfV2: {
    ...document,
    path: '/.well-known/oauth-protected-resource/v2',
    summary: 'The same for the resource /v2',
    response: protectedResource,
  },
  authorizationServer: {
    ...document,
    path: '/.well-known/oauth-authorization-server',
    summary: 'Find out how agents get a key (RFC 8414, with `agent_auth`)',
    response: authorizationServer,
  },
  authGuide: {
    ...document,
    path: '/auth.md',
    summary: 'Get a page for agents on how to get a key here, as Markdown',
    response: z.string(),
    contentType: 'text/markdown; charset=utf-8',
  },
  cliLoginPage: {
    method: 'GET',
    path: '/cli-auth',
    summary: 'The page on which a person approves the login of the command line',
    open: true,
    query: cliAuthQuery,
    response: z.string(),
    contentType: 'text/html; charset=utf-8',
  },
  approveCliLogin: {
    method: 'POST',
    path: '/cli-auth/approve',
    summary: 'The button of that page',
    open: true,
    request: cliApproveRequest,
    response: cliApproveResponse,
    fetches: false,
    fails: ['UNAUTHORIZED', 'TOO_MANY_WRONG_KEYS', 'FORBIDDEN_ORIGIN', 'rate_limited', ...STORAGE],
  },
  cliLoginStatus: {
    method: 'POST',
    path: '/api/auth/cli/status',
    summary: 'Fetch the key of an approved login, once',
    open: true,
    request: cliStatusRequest,
    response: cliStatusResponse,
    fetches: false,
    fails: ['rate_limited', ...STORAGE],
  },
} as const;
