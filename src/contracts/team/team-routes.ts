// The routes for what a team can ask about itself, and for how its searches rank domains.
import { domainRanking, domainRankingResponse } from './domain-ranking.ts';
import { meResponse } from './me.ts';
import {
  activityQuery,
  activityResponse,
  concurrencyResponse,
  creditHistoryQuery,
  creditHistoryResponse,
  creditUsageResponse,
  queueStatusResponse,
  tokenHistoryQuery,
  tokenHistoryResponse,
  tokenUsageResponse,
} from './team.ts';
import { teamUsageQuery, teamUsageResponse } from './team-usage.ts';

export const TEAM_ROUTES = {
  me: {
    method: 'GET',
    path: '/v2/me',
    summary: 'Find out who you are: your team, your key, and what it may do',
    response: meResponse,
  },
  creditUsage: {
    method: 'GET',
    path: '/v2/team/credit-usage',
    summary: 'Get the credits used and left this month',
    response: creditUsageResponse,
  },
  creditHistory: {
    method: 'GET',
    path: '/v2/team/credit-usage/historical',
    summary: 'List the credits used by month, or over the last day, week or month',
    query: creditHistoryQuery,
    response: creditHistoryResponse,
  },
  tokenUsage: {
    method: 'GET',
    path: '/v2/team/token-usage',
    summary: 'Get the tokens of language models used and left this month',
    response: tokenUsageResponse,
  },
  tokenHistory: {
    method: 'GET',
    path: '/v2/team/token-usage/historical',
    summary: 'List the tokens of language models used by month',
    query: tokenHistoryQuery,
    response: tokenHistoryResponse,
  },
  teamUsage: {
    method: 'GET',
    path: '/v2/team/usage',
    summary: 'Get the credits and tokens used by day, by key and by operation',
    query: teamUsageQuery,
    response: teamUsageResponse,
    fails: ['OPERATOR_ONLY', 'TEAM_NOT_FOUND'],
  },
  activity: {
    method: 'GET',
    path: '/v2/team/activity',
    summary: 'List the requests of your team in the last 24 hours',
    query: activityQuery,
    response: activityResponse,
  },
  queueStatus: {
    method: 'GET',
    path: '/v2/team/queue-status',
    summary: 'Get the number of running and waiting pages of your team',
    response: queueStatusResponse,
  },
  concurrencyCheck: {
    method: 'GET',
    path: '/v2/concurrency-check',
    summary: 'Get how many scrapes your team runs, and how many it may run',
    response: concurrencyResponse,
  },
  domainRanking: {
    method: 'GET',
    path: '/v2/team/ranking',
    summary: 'Get the domains that searches of your team put first, higher, lower, or leave out',
    response: domainRankingResponse,
  },
  setDomainRanking: {
    method: 'PUT',
    path: '/v2/team/ranking',
    summary: 'Replace the domains that searches of your team put first, higher, lower, or leave out',
    request: domainRanking,
    response: domainRankingResponse,
  },
} as const;
