// The routes of agents, their traces and threads.

import { JOB_ERRORS, URL_ERRORS } from '../errors/route-errors.ts';
import {
  agentCancelResponse,
  agentListQuery,
  agentListResponse,
  agentRequest,
  agentResponse,
  agentStatusResponse,
  agentThreadQuery,
  agentThreadResponse,
} from './agent.ts';
import { agentSnapshotResponse, agentTraceQuery, agentTraceResponse } from './agent-trace.ts';

export const AGENT_ROUTES = {
  startAgent: {
    method: 'POST',
    path: '/v2/agent',
    summary: 'Start an agent, which finds data on the web by itself',
    request: agentRequest,
    response: agentResponse,
    idempotent: true,
    fetches: 'urls',
    fails: [
      'INSUFFICIENT_CREDITS',
      'FEATURE_NOT_ENABLED',
      ...URL_ERRORS,
      'IDEMPOTENCY_KEY_USED',
      'QUEUE_FULL',
      'thread_not_found',
      'thread_busy',
      'thread_expired',
    ],
  },
  listAgents: {
    method: 'GET',
    path: '/v2/agent',
    summary: 'List the runs of agents, newest first',
    query: agentListQuery,
    response: agentListResponse,
  },
  agentThread: {
    method: 'GET',
    path: '/v2/agent/threads/:id',
    summary: 'Get a thread: runs of an agent that continue each other',
    query: agentThreadQuery,
    response: agentThreadResponse,
    fails: ['thread_not_found'],
  },
  agentStatus: {
    method: 'GET',
    path: '/v2/agent/:id',
    summary: 'Get the state and the data of a run of an agent',
    response: agentStatusResponse,
    fails: JOB_ERRORS,
  },
  cancelAgent: {
    method: 'DELETE',
    path: '/v2/agent/:id',
    summary: 'Cancel a run of an agent; it ends with what it has found',
    response: agentCancelResponse,
    fails: JOB_ERRORS,
  },
  agentTrace: {
    method: 'GET',
    path: '/v2/agent/:id/trace',
    summary: 'Get what a run of an agent did: plan, tool calls, results, cost',
    query: agentTraceQuery,
    response: agentTraceResponse,
    fails: JOB_ERRORS,
  },
  agentSnapshot: {
    method: 'GET',
    path: '/v2/agent/:id/snapshots/:snapshotId',
    summary: 'Get a draft of the result of an agent, which its trace names',
    response: agentSnapshotResponse,
    fails: JOB_ERRORS,
  },
} as const;
