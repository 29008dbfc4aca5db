// One step of a run as events: what was planned, what the model thought, or which tool was called with what result.
import type { TraceEvent } from '../../../../contracts/agent-trace.ts';
import type { RunStep } from '../../../../store/run-store.ts';
import { DRAFT_STEP } from './drafts.ts';
import { shortened } from './shortened.ts';

type Common = 'schemaVersion' | 'eventId' | 'runId' | 'occurredAt' | 'producerSequence' | 'agent';
type WithoutCommon<Event> = Event extends unknown ? Omit<Event, Common> : never;

/** An event without what all events of a run share. */
export type BareEvent = WithoutCommon<TraceEvent> & {
  at: number;
  /** Identifies it within the run. */
  key: string;
};

/** A step that decides what to do; its output has a `message` for readers. */
export const PLAN_STEP = 'plan';
/** A call of the language model; its output may have a `summary` for readers. */
export const REASON_STEP = 'reason';

export function stepEvents(step: RunStep, index: number): BareEvent[] {
  const key = `step-${index + 1}`;
  if (step.name === DRAFT_STEP) return [];
  if (step.name === PLAN_STEP) return note(step, 'message', (message) => ({ ...progress, key, message }));
  if (step.name === REASON_STEP) return note(step, 'summary', (text) => ({ type: 'reasoning.summary', key, text }));
  return toolCall(step, key);
}

const progress = { type: 'progress.reported', phase: 'planning' } as const;

/** `BareEvent` without its time, which is that of the step's end. */
type Untimed = BareEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

function note({ output, finishedAt }: RunStep, field: string, event: (text: string) => Untimed): BareEvent[] {
  const text = (output as Record<string, unknown> | null | undefined)?.[field];
  if (finishedAt === undefined || typeof text !== 'string' || text === '') return [];
  return [{ ...event(text), at: finishedAt }];
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
