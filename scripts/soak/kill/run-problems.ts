// Compares runs that were killed with an undisturbed run of the same kind.
import { isDeepStrictEqual } from 'node:util';
import type { RunState, StartedRun } from './run-client.ts';

export interface EndedRun extends StartedRun, RunState {
  /** The bodies of its webhook calls, in order. */
  calls: string[];
  /** Turns that a model was asked for, in order. */
  turns: number[];
}

interface WebhookBody {
  type: string;
  webhookId: string;
  data?: Record<string, unknown>[];
}

/** One sentence a problem. */
export function runProblems(killed: EndedRun, undisturbed: EndedRun): string[] {
  const { kind, name, status, credits, found, problem } = killed;
  const problems: string[] = [];
  if (status !== 'completed') problems.push(`ended as ${status}: ${problem ?? 'without an error'}`);
  if (!isDeepStrictEqual(found, undisturbed.found)) {
    problems.push(`found ${JSON.stringify(found)} instead of ${JSON.stringify(undisturbed.found)}`);
  }
  if (credits !== undisturbed.credits) problems.push(`cost ${credits} credits instead of ${undisturbed.credits}`);
  problems.push(...callProblems(killed, undisturbed), ...turnProblems(killed.turns));
  return problems.map((text) => `The ${kind} ${name} ${text}.`);
}

/** A call may be repeated with the same id and body. Each event comes once, the last one at the end. */
function callProblems(killed: EndedRun, undisturbed: EndedRun): string[] {
  const bodies = new Map<string, string>();
  const problems: string[] = [];
  for (const body of killed.calls) {
    const { webhookId } = JSON.parse(body) as WebhookBody;
    if ((bodies.get(webhookId) ?? body) !== body) problems.push(`sent call ${webhookId} with two bodies`);
    bodies.set(webhookId, body);
  }
  const events = eventsOf(killed.name, [...bodies.values()]);
  const wanted = eventsOf(undisturbed.name, undisturbed.calls);
  if (!isDeepStrictEqual([...events].sort(), [...wanted].sort())) {
    problems.push(`sent the events ${events.join(', ')} instead of ${wanted.join(', ')}`);
  }
  if (events.at(-1) !== wanted.at(-1)) problems.push(`sent ${events.at(-1)} as its last event`);
  return problems;
}

/** What differs from run to run without harm is left out: ids, times, and what was spent at that moment. */
const eventsOf = (name: string, calls: readonly string[]): string[] =>
  calls.map((body) => {
    const { type, data = [] } = JSON.parse(body) as WebhookBody;
    const about = data.map((entry) => entry.url ?? [entry.action, JSON.stringify(entry.input)].join(' ')).join();
    return `${type} ${about}`.replaceAll(name, 'run').trim();
  });

/** A finished turn is not asked for again: turns may be repeated, but the run never goes back. */
const turnProblems = (turns: readonly number[]): string[] =>
  turns.some((turn, at) => at > 0 && (turn < turns[at - 1]! || turn > turns[at - 1]! + 1))
    ? [`asked the model for the turns ${turns.join(', ')}`]
    : [];
