// The routes for the audit log of a team, and for the stream of it to a collector.
import { auditQuery, auditResponse } from './audit.ts';
import { siemRequest, siemResponse, siemTestResponse } from './siem.ts';

export const AUDIT_ROUTES = {
  auditLog: {
    method: 'GET',
    path: '/v2/team/audit',
    summary: 'List who changed what in your team, and what was refused for reasons of security',
    query: auditQuery,
    response: auditResponse,
    fails: ['OPERATOR_ONLY', 'TEAM_NOT_FOUND'],
  },
  getSiem: {
    method: 'GET',
    path: '/v2/team/siem',
    summary: 'Get where the audit events of your team are streamed to, and whether they arrive',
    response: siemResponse,
  },
  setSiem: {
    method: 'PUT',
    path: '/v2/team/siem',
    summary: 'Stream the audit events of your team to an HTTPS collector, or stop it',
    request: siemRequest,
    response: siemResponse,
    // Nothing is fetched: events are sent to it later.
    fetches: false,
    fails: ['UNSUPPORTED_SITE'],
  },
  testSiem: {
    method: 'POST',
    path: '/v2/team/siem/test',
    summary: 'Send a test event to the collector of your team',
    response: siemTestResponse,
    fails: ['SIEM_NOT_CONFIGURED'],
  },
} as const;
