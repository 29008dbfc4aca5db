// GET /v2/agent/{id}/trace and its snapshots: what a run did, as events. Clients refuse types of events that are not listed here.
import { z } from 'zod';
import { flag } from '../query-fields.ts';

export const traceError = z.lazy(() =>
  z.object({
    code: z.enum([
      'cancelled',
      'credit_limit_reached',
      'insufficient_credits',
      'parent_finished',
      'refused',
      'internal',
    ]),
    source: z.enum(['agent', 'tool', 'billing', 'system']),
    retryable: z.boolean(),
    message: z.string(),
  }),
);

const base = {
  schemaVersion: z.literal(1),
  eventId: z.string(),
  runId: z.string(),
  occurredAt: z.string(),
  producerSequence: z.int().describe('Number of the event in the run, from 1.'),
  agent: z.object({
    id: z.string(),
    role: z.enum(['orchestrator', 'subagent', 'browser', 'system']),
    name: z.string(),
    parentId: z.string().optional(),
  }),
};

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ ...base, type: z.literal(type), ...shape });

const OUTCOMES = ['succeeded', 'failed', 'cancelled', 'refused'] as const;
// A key that may be null, but not be absent.
const anything = z.unknown().nonoptional();

const traceEvent = z.lazy(() =>
  z.discriminatedUnion('type', [
    event('run.started', {}),
    event('run.cancel_requested', { reason: z.literal('user') }),
    event('run.finished', { outcome: z.enum([...OUTCOMES, 'credit_limit_reached']), error: traceError.nullable() }),
    event('agent.started', {}),
    event('agent.finished', { outcome: z.enum(OUTCOMES), durationMs: z.int(), error: traceError.nullable() }),
    event('browser.session.started', { sessionId: z.string() }),
    event('browser.session.finished', { sessionId: z.string(), durationMs: z.int() }),
    event('progress.reported', { phase: z.enum(['planning', 'working', 'finalizing']), message: z.string() }),
    event('reasoning.summary', { text: z.string() }),
    event('tool_call.started', { toolCallId: z.string(), toolName: z.string(), parameters: anything }),
    event('tool_call.finished', { toolCallId: z.string(), toolName: z.string(), result: anything }),
    event('artifact.updated', {
      artifact: z.object({
        kind: z.enum(['json', 'markdown', 'html', 'screenshot', 'text']),
        artifactId: z.string(),
        snapshotId: z.string().describe('GET /v2/agent/{id}/snapshots/{snapshotId} returns the content.'),
        change: z.enum(['init', 'partial', 'append', 'modify', 'update']),
        itemCount: z.int().optional(),
        sourceToolCallId: z.string().optional(),
      }),
    }),
    event('error.occurred', { error: traceError }),
  ]),
);

export type TraceEvent = z.output<typeof traceEvent>;
export type TraceError = z.output<typeof traceError>;

export const agentTraceQuery = z.object({
  liveView: flag('liveView').optional().describe('Adds the browser sessions that the run uses at the moment.'),
});

export const agentTraceResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    events: z.array(traceEvent).describe('In the order in which they happened.'),
    creditsUsed: z.int(),
    activeBrowserSessions: z
      .array(
        z.object({
          id: z.string(),
          liveViewUrl: z.string(),
          viewport: z.object({ width: z.int(), height: z.int() }),
        }),
      )
      .optional()
      .describe('With `liveView`.'),
    zeroDataRetention: z.boolean().optional().describe('Nothing that the run read or wrote is kept after its end.'),
  }),
);

export type AgentTraceResponse = z.output<typeof agentTraceResponse>;

export const agentSnapshotResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    snapshotId: z.string(),
    snapshot: z.string().describe('The draft of the result at that time: JSON, or a text.'),
  }),
);

export type AgentSnapshotResponse = z.output<typeof agentSnapshotResponse>;
