// What an agent did, as steps that people read: a tool call with its result is one, and what says nothing is left out.
import type { TraceEvent } from '../../../../src/contracts/agent/agent-trace.ts';
import { fieldsOf, listOf, plainLine, textOf } from '../../ui/data/untrusted.ts';
import type { Tone } from '../../ui/states/tone.ts';

export interface Step {
  id: string;
  at: string;
  title: string;
  text?: string;
  tone: Tone;
  /** A draft of the result, which can be shown. */
  snapshotId?: string;
}

const MAX_TEXT = 400;
const OUTCOMES: Readonly<Record<string, { title: string; tone: Tone }>> = {
  succeeded: { title: 'Done', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  cancelled: { title: 'Cancelled', tone: 'idle' },
  refused: { title: 'Refused', tone: 'bad' },
  credit_limit_reached: { title: 'Stopped at the limit of credits', tone: 'warn' },
};

export function stepsOf(events: readonly TraceEvent[]): Step[] {
  const finished = new Set(events.flatMap((event) => (event.type === 'tool_call.finished' ? [event.toolCallId] : [])));
  return events.flatMap((event): Step[] => {
    const step = stepOf(event, finished);
    return step ? [{ id: event.eventId, at: event.occurredAt, ...step }] : [];
  });
}

function stepOf(event: TraceEvent, finished: ReadonlySet<string>): Omit<Step, 'id' | 'at'> | undefined {
  switch (event.type) {
    case 'run.started':
      return { title: 'Started', tone: 'idle' };
    case 'run.cancel_requested':
      return { title: 'Somebody asked to cancel it', tone: 'warn' };
    case 'progress.reported':
      return { title: PHASES[event.phase], text: plainLine(event.message, MAX_TEXT), tone: 'busy' };
    case 'reasoning.summary':
      return { title: 'Thought', text: plainLine(event.text, MAX_TEXT), tone: 'idle' };
    case 'tool_call.started':
      return {
        title: event.toolName,
        text: shortText(event.parameters),
        tone: finished.has(event.toolCallId) ? 'good' : 'busy',
      };
    case 'artifact.updated':
      return { title: 'Updated the result', tone: 'good', snapshotId: event.artifact.snapshotId };
    case 'error.occurred':
      return { title: 'A problem', text: plainLine(event.error.message, MAX_TEXT), tone: 'bad' };
    case 'run.finished':
      return OUTCOMES[event.outcome];
    default:
      return undefined;
  }
}

const PHASES = { planning: 'Plans', working: 'Works', finalizing: 'Writes the result' } as const;

/** The address, the query or the first text of the parameters of a tool. */
function shortText(parameters: unknown): string | undefined {
  const fields = fieldsOf(parameters);
  const [first] = listOf(fields.urls);
  const text =
    textOf(fields.url) ?? textOf(fields.query) ?? textOf(first) ?? Object.values(fields).map(textOf).find(Boolean);
  return text === undefined ? undefined : plainLine(text, MAX_TEXT);
}
