// What a run of an agent does, in a few words for each event of its trace.
import type { TraceEvent } from '../../contracts/agent/agent-trace.ts';
import type { Cell } from '../tables/table.ts';

/** Undefined for an event that is no step of its own. */
export function stepText(event: TraceEvent): string | undefined {
  switch (event.type) {
    case 'progress.reported':
      return event.message;
    case 'reasoning.summary':
      return event.text;
    case 'tool_call.started':
      return `${event.toolName} ${parametersText(event.parameters)}`.trimEnd();
    default:
      return undefined;
  }
}

export const traceRows = (events: readonly TraceEvent[]): Cell[][] =>
  events.map((event) => [event.occurredAt, event.type, stepText(event) ?? detailText(event)]);

function detailText(event: TraceEvent): string {
  switch (event.type) {
    case 'tool_call.finished':
      return event.toolName;
    case 'run.finished':
    case 'agent.finished':
      return [event.outcome, event.error?.message].filter(Boolean).join(': ');
    case 'artifact.updated':
      return `${event.artifact.kind} (${event.artifact.change})`;
    case 'error.occurred':
      return event.error.message;
    default:
      return '';
  }
}

/** A single text, such as a query or a URL, says more than JSON. */
function parametersText(parameters: unknown): string {
  if (typeof parameters !== 'object' || parameters === null) return String(parameters ?? '');
  const texts = Object.values(parameters).filter((value) => typeof value === 'string');
  return texts.length > 0 ? texts.join(' ') : JSON.stringify(parameters);
}
