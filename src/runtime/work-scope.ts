// What the current work is done for, wherever it was started: a request, a page of a job, a step of a run. Ports that know
// nothing of callers share by its team, and every line of the log names it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { OWN_WORK } from './gate/gate.ts';
import type { SpanContext } from './tracer.ts';

/** Names for people who follow one piece of work through the log. */
export interface WorkLabels {
  request?: string;
  job?: string;
  run?: string;
}

interface Work extends WorkLabels {
  team?: string;
  span?: SpanContext;
}

export interface WorkScope {
  /** Everything that `work` starts belongs to the team. */
  run<T>(team: string, work: () => T): T;
  /** Everything that `work` starts has these labels, in addition to those around it. */
  label<T>(labels: WorkLabels, work: () => T): T;
  /** Everything that `work` starts is part of the span. */
  trace<T>(span: SpanContext, work: () => T): T;
  /** The team. Work outside of any scope is the service's own. */
  current(): string;
  /** What a line of the log says about the work that wrote it. */
  labels(): WorkLabels & { trace?: string };
  span(): SpanContext | undefined;
}

export function createWorkScope(): WorkScope {
  const storage = new AsyncLocalStorage<Work>();
  const inside = <T>(part: Work, work: () => T): T => storage.run({ ...storage.getStore(), ...part }, work);
  return {
    run: (team, work) => inside({ team }, work),
    label: (labels, work) => inside(labels, work),
    trace: (span, work) => inside({ span }, work),
    current: () => storage.getStore()?.team ?? OWN_WORK.team,
    labels() {
      const { team: _, span, ...labels } = storage.getStore() ?? {};
      return span ? { ...labels, trace: span.traceId } : labels;
    },
    span: () => storage.getStore()?.span,
  };
}
