// The routes for the threat policy of a team.
import { threatPolicy, threatPolicyResponse } from './threat-protection.ts';

export const THREAT_ROUTES = {
  threatPolicy: {
    method: 'GET',
    path: '/v2/team/threat-protection',
    summary: 'Get the threat policy of your team',
    response: threatPolicyResponse,
    operationId: 'getThreatProtection',
    fails: ['FEATURE_NOT_ENABLED'],
  },
  setThreatPolicy: {
    method: 'PUT',
    path: '/v2/team/threat-protection',
    summary: 'Replace the threat policy of your team',
    request: threatPolicy,
    response: threatPolicyResponse,
    operationId: 'updateThreatProtection',
    fails: ['FEATURE_NOT_ENABLED', 'KEY_RESTRICTED'],
    fetches: false,
  },
} as const;
