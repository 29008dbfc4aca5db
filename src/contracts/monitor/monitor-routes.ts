// The routes of monitors and their checks.

import { MONITOR_START_ERRORS } from '../errors/route-errors.ts';
import {
  createMonitorRequest,
  deleteMonitorResponse,
  listMonitorsResponse,
  listQuery,
  monitorResponse,
  updateMonitorRequest,
} from './monitor.ts';
import { checkQuery, checkResponse, listChecksQuery, listChecksResponse, runMonitorResponse } from './monitor-check.ts';

const MONITOR = '/v2/monitor';

export const MONITOR_ROUTES = {
  createMonitor: {
    method: 'POST',
    path: MONITOR,
    summary: 'Watch pages, a site or searches on a schedule',
    request: createMonitorRequest,
    response: monitorResponse,
    fetches: 'targets',
    fails: [...MONITOR_START_ERRORS, 'TOO_MANY_MONITORS'],
  },
  listMonitors: {
    method: 'GET',
    path: MONITOR,
    summary: 'List the monitors of your team, newest first',
    query: listQuery,
    response: listMonitorsResponse,
  },
  getMonitor: {
    method: 'GET',
    path: `${MONITOR}/:id`,
    summary: 'Get a monitor',
    response: monitorResponse,
    fails: ['MONITOR_NOT_FOUND'],
  },
  updateMonitor: {
    method: 'PATCH',
    path: `${MONITOR}/:id`,
    summary: 'Change, pause or resume a monitor',
    request: updateMonitorRequest,
    response: monitorResponse,
    fetches: false,
    fails: [...MONITOR_START_ERRORS, 'MONITOR_NOT_FOUND'],
  },
  deleteMonitor: {
    method: 'DELETE',
    path: `${MONITOR}/:id`,
    summary: 'Delete a monitor with its checks; a running check is cancelled',
    response: deleteMonitorResponse,
    fails: ['MONITOR_NOT_FOUND'],
  },
  runMonitor: {
    method: 'POST',
    path: `${MONITOR}/:id/run`,
    summary: 'Start a check now',
    response: runMonitorResponse,
    fails: [
      'MONITOR_NOT_FOUND',
      'MONITOR_PAUSED',
      'CHECK_UNFINISHED',
      'INSUFFICIENT_CREDITS',
      'QUEUE_FULL',
      'FEATURE_NOT_ENABLED',
    ],
  },
  listChecks: {
    method: 'GET',
    path: `${MONITOR}/:id/checks`,
    summary: 'List the checks of a monitor, newest first',
    query: listChecksQuery,
    response: listChecksResponse,
    fails: ['MONITOR_NOT_FOUND'],
  },
  getCheck: {
    method: 'GET',
    path: `${MONITOR}/:id/checks/:checkId`,
    summary: 'Get a check and what it found on each page',
    query: checkQuery,
    response: checkResponse,
    fails: ['MONITOR_NOT_FOUND', 'CHECK_NOT_FOUND'],
  },
} as const;
