// The routes of browser sessions, each under two names: clients use the older one, the documentation the newer.
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
} as const;
const list = {
  method: 'GET',
  summary: 'List your browser sessions: open ones first, then those that ended recently',
  query: listBrowsersQuery,
  response: listBrowsersResponse,
} as const;
const get = { method: 'GET', summary: 'Get one browser session', response: getBrowserResponse } as const;
const end = { method: 'DELETE', summary: 'End a browser session', response: deleteBrowserResponse } as const;
const execute = {
  method: 'POST',
  summary: 'Run code against a browser session, in a sandbox (if the operator allows it)',
  request: executeRequest,
  response: executeResponse,
  fetches: false,
} as const;
const deleteProfile = {
  method: 'DELETE',
  summary: 'Delete a browser profile and everything in it',
  response: deleteProfileResponse,
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
    summary: 'Open the page of a scrape in a browser session and run code against it (if the operator allows it)',
    request: interactRequest,
    response: interactResponse,
    fetches: false,
  },
  stopInteraction: { ...end, path: '/v2/scrape/:id/interact', summary: 'End the browser session of a scrape' },
  deleteBrowserProfile: { ...deleteProfile, path: '/v2/browser/profiles/:name' },
  deleteInteractProfile: { ...deleteProfile, path: '/v2/interact/profiles/:name' },
} as const;
