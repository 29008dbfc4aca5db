// The routes behind links: those in e-mails of monitors, and the feed of a monitor. The token in the link stands for a key.
import { z } from 'zod';
import { confirmMailResponse, mailTokenQuery, mailTokenRequest, unsubscribeMailResponse } from './monitor-mail.ts';

const JSON_PATH = '/v2/monitor/email';
const PAGE_PATH = '/monitor/email';
const LINK_ERRORS = ['invalid_token', 'not_found', 'STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED'] as const;

const byJson = {
  method: 'POST',
  open: true,
  request: mailTokenRequest,
  invalidRequest: 'invalid_token',
  fetches: false,
  fails: LINK_ERRORS,
} as const;

const page = {
  open: true,
  query: mailTokenQuery,
  response: z.string(),
  contentType: 'text/html; charset=utf-8',
  fails: LINK_ERRORS,
} as const;

export const MONITOR_MAIL_ROUTES = {
  confirmMail: {
    ...byJson,
    path: `${JSON_PATH}/confirm`,
    summary: 'Agree to e-mails about a monitor, with the token of the link',
    response: confirmMailResponse,
  },
  unsubscribeMail: {
    ...byJson,
    path: `${JSON_PATH}/unsubscribe`,
    summary: 'End the e-mails of a team, with the token of the link',
    response: unsubscribeMailResponse,
  },
  confirmMailPage: {
    ...page,
    method: 'GET',
    path: `${PAGE_PATH}/confirm`,
    summary: 'The page behind the link of an e-mail that asks whether more are wanted',
  },
  confirmMailByPage: {
    ...page,
    method: 'POST',
    path: `${PAGE_PATH}/confirm`,
    summary: 'The button of that page',
  },
  unsubscribeMailPage: {
    ...page,
    method: 'GET',
    path: `${PAGE_PATH}/unsubscribe`,
    summary: 'The page behind the link that ends e-mails',
  },
  unsubscribeMailByPage: {
    ...page,
    method: 'POST',
    path: `${PAGE_PATH}/unsubscribe`,
    summary: 'The button of that page, and of mail programs (RFC 8058)',
  },
  monitorFeed: {
    method: 'GET',
    path: '/v2/monitor/:id/feed',
    summary: 'Get the latest changes of a monitor as an Atom feed; its `feedUrl` is the link',
    open: true,
    query: mailTokenQuery,
    response: z.string(),
    contentType: 'application/atom+xml; charset=utf-8',
    fails: ['MONITOR_NOT_FOUND', 'STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED'],
  },
} as const;
