// The routes of browser sessions, each under two names: clients use the older one, the documentation the newer.

import { PAGE_ERRORS, SESSION_ERRORS } from '../errors/route-errors.ts';
import {
  createBrowserRequest,
  createBrowserResponse,
  deleteBrowserResponse,
  getBrowserResponse,
  listBrowsersQuery,
  listBrowsersResponse,
} from './browser.ts';
import { executeRequest, executeResponse, interactRequest, interactResponse } from './execute.ts';
import { deleteProfileResponse } from './profile.ts';

const create = {
  method: 'POST',
  summary: 'Open a browser session that you drive over the Chrome DevTools Protocol',
  request: createBrowserRequest,
  response: createBrowserResponse,
  fetches: false,
  fails: [
    'INSUFFICIENT_CREDITS',
    'FEATURE_NOT_ENABLED',
    'NO_BROWSER',
    'TOO_MANY_SESSIONS',
    'PROFILE_IN_USE',
    'PROFILE_UNREADABLE',
  ],
} as const;
const list = {
  method: 'GET',
  summary: 'List your browser sessions: open ones first, then those that ended recently',
  query: listBrowsersQuery,
  response: listBrowsersResponse,
} as const;
const get = {
  method: 'GET',
  summary: 'Get one browser session',
  response: getBrowserResponse,
  fails: SESSION_ERRORS,
} as const;
const end = {
  method: 'DELETE',
  summary: 'End a browser session',
  response: deleteBrowserResponse,
  fails: [...SESSION_ERRORS, 'PROFILE_TOO_LARGE'],
} as const;
const execute = {
  method: 'POST',
  summary: 'Run code against a browser session, in a sandbox (if the operator allows it)',
  request: executeRequest,
  response: executeResponse,
  fetches: false,
  fails: [...SESSION_ERRORS, 'EXECUTE_NOT_ALLOWED', 'SANDBOX_UNAVAILABLE'],
} as const;
const deleteProfile = {
  method: 'DELETE',
  summary: 'Delete a browser profile and everything in it',
  response: deleteProfileResponse,
  fails: ['PROFILE_NOT_FOUND', 'PROFILE_IN_USE'],
} as const;

export const BROWSER_ROUTES = {
  createBrowser: { ...create, path: '/v2/browser' },
  createInteract: { ...create, path: '/v2/interact' },
  listBrowsers: { ...list, path: '/v2/browser' },
  listInteracts: { ...list, path: '/v2/interact' },
  getBrowser: { ...get, path: '/v2/browser/:id' },
  getInteract: { ...get, path: '/v2/interact/:id' },
  deleteBrowser: { ...end, path: '/v2/browser/:id' },
  deleteInteract: { ...end, path: '/v2/interact/:id' },
  executeInBrowser: { ...execute, path: '/v2/browser/:id/execute' },
  executeInInteract: { ...execute, path: '/v2/interact/:id/execute' },
  interact: {
    method: 'POST',
    path: '/v2/scrape/:id/interact',
    summary:
      'Open the page of a scrape in a browser session, and run code (if the operator allows it) or a prompt against it',
    request: interactRequest,
    response: interactResponse,
    fetches: false,
    fails: [
      'INSUFFICIENT_CREDITS',
      ...SESSION_ERRORS,
      ...PAGE_ERRORS,
      'INVALID_JOB_ID',
      'JOB_NOT_FOUND',
      'KEYLESS_LIMIT_REACHED',
      'REPLAY_UNAVAILABLE',
      'TOO_MANY_SESSIONS',
      'PROFILE_IN_USE',
      'EXECUTE_NOT_ALLOWED',
      'SANDBOX_UNAVAILABLE',
      'NEEDS_MODEL',
    ],
  },
  stopInteraction: {
    ...end,
    path: '/v2/scrape/:id/interact',
    summary: 'End the browser session of a scrape',
    fails: [...SESSION_ERRORS, 'INVALID_JOB_ID', 'PROFILE_TOO_LARGE'],
  },
  deleteBrowserProfile: { ...deleteProfile, path: '/v2/browser/profiles/:name' },
  deleteInteractProfile: { ...deleteProfile, path: '/v2/interact/profiles/:name' },
} as const;
