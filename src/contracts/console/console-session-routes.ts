// The routes for the session of the console. They are open, as their callers are not logged in yet.
import { consoleSessionResponse, openConsoleSessionRequest } from './console-session.ts';

const PATH = '/console/session';
const FAILS = [
  'UNAUTHORIZED',
  'TOO_MANY_WRONG_KEYS',
  'FORBIDDEN_ORIGIN',
  'NETWORK_NOT_ALLOWED',
  'RATE_LIMITED',
  'rate_limited',
  'STORAGE_UNAVAILABLE',
  'STORAGE_DAMAGED',
] as const;

export const CONSOLE_SESSION_ROUTES = {
  consoleSession: {
    method: 'GET',
    path: PATH,
    summary: 'Find out whether the console is logged in, and as whom',
    open: true,
    response: consoleSessionResponse,
    fails: FAILS,
  },
  openConsoleSession: {
    method: 'POST',
    path: PATH,
    summary: 'Log in to the console with a key or a one-time link; only from its own page',
    open: true,
    request: openConsoleSessionRequest,
    response: consoleSessionResponse,
    fetches: false,
    fails: FAILS,
  },
  closeConsoleSession: {
    method: 'DELETE',
    path: PATH,
    summary: 'Log out of the console',
    open: true,
    response: consoleSessionResponse,
    fails: [...FAILS, 'CSRF_TOKEN_INVALID'],
  },
} as const;
