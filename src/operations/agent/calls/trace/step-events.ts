// One step of a run as events: what was planned, what the model thought, or which tool was called with what result.
import type { TraceEvent } from '../../../../contracts/agent/agent-trace.ts';
import type { RunStep } from '../../../../store/ports/runs/run-store.ts';
import type { UsedPage } from '../../use-page.ts';
import { DRAFT_STEP } from './drafts.ts';

type Common = 'schemaVersion' | 'eventId' | 'runId' | 'occurredAt' | 'producerSequence' | 'agent';
type WithoutCommon<Event> = Event extends unknown ? Omit<Event, Common> : never;

/** An event without what all events of a run share. */
export type BareEvent = WithoutCommon<TraceEvent> & {
  at: number;
  /** Identifies it within the run. */
  key: string;
};

/** Steps with a meaning of their own; every other step is the call of a tool. */
const SHOWN_AS: Record<string, (step: RunStep, key: string) => BareEvent[]> = {
  // Finds out under which conditions the run begins.
  prepare: () => [],
  [DRAFT_STEP]: () => [],
  /** Decides what to do. */
  plan: (step, key) => note(step, 'message', (message) => ({ ...progress, key, message })),
  /** Asks the language model. */
  reason: (step, key) => [
    ...note(step, 'summary', (text) => ({ type: 'reasoning.summary', key, text })),
    ...modelFailure(step, `${key}.failed`),
  ],
  /** Uses a page. */
  browser: (step, key) => [...sessionEvents(step, key), ...toolCall(step, key)].toSorted((a, b) => a.at - b.at),
};

export const stepEvents = (step: RunStep, index: number): BareEvent[] =>
  (SHOWN_AS[step.name] ?? toolCall)(step, `step-${index + 1}`);

const progress = { type: 'progress.reported', phase: 'planning' } as const;

/** `BareEvent` without its time, which is that of the step's end. */
type Untimed = BareEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

function note({ output, finishedAt }: RunStep, field: string, event: (text: string) => Untimed): BareEvent[] {
  const text = (output as Record<string, unknown> | null | undefined)?.[field];
  if (finishedAt === undefined || typeof text !== 'string' || text === '') return [];
  return [{ ...event(text), at: finishedAt }];
}

/** The run may go on after it: the model is asked again. */
const modelFailure = (step: RunStep, key: string): BareEvent[] =>
  note(step, 'failed', (failed) => {
    const message = String((step.output as { message?: unknown }).message ?? failed);
    const code = failed === 'refused' ? 'refused' : 'internal';
    return { type: 'error.occurred', key, error: { code, source: 'agent', retryable: true, message } };
  });

/** Known when the session has ended; until then, `activeBrowserSessions` shows it. */
function sessionEvents({ output, finishedAt }: RunStep, key: string): BareEvent[] {
  const { sessionId, durationMs } = (output ?? {}) as Partial<UsedPage>;
  if (finishedAt === undefined || sessionId === undefined || durationMs === undefined) return [];
  return [
    { at: finishedAt - durationMs, key: `${key}.session.started`, type: 'browser.session.started', sessionId },
    { at: finishedAt, key: `${key}.session.finished`, type: 'browser.session.finished', sessionId, durationMs },
  ];
}

function toolCall({ name, input, output, startedAt, finishedAt }: RunStep, key: string): BareEvent[] {
  const call = { toolCallId: key, toolName: name };
  const begun: BareEvent = {
    ...call,
    at: startedAt,
    key: `${key}.started`,
    type: 'tool_call.started',
    parameters: shortened(input) ?? null,
  };
  if (finishedAt === undefined) return [begun];
  const result = shortened(output) ?? null;
  return [begun, { ...call, at: finishedAt, key: `${key}.finished`, type: 'tool_call.finished', result }];
}

const MAX_TEXT = 300;
const MAX_ENTRIES = 20;
const MAX_DEPTH = 5;

/** JSON for readers: long texts are cut, and long lists end early. A page that a tool has read is shown by its beginning. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((entry) => shortened(entry, depth + 1));
    return value.length > MAX_ENTRIES ? [...shown, `… and ${value.length - MAX_ENTRIES} more`] : shown;
  }
  const fields = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(fields.map(([name, field]) => [cut(name), shortened(field, depth + 1)]));
}

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text.toWellFormed();
