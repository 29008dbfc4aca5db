// What is in the form of each operation, and its last run. It stays while the console is open.
import { type Signal, signal } from '@preact/signals';
import type { Body } from './recent.ts';
import { createRun, type Operation, type RunSignal } from './run.ts';

export interface FormState {
  body: Signal<Body>;
  /** File of an upload. */
  file: Signal<File | undefined>;
  run: RunSignal;
}

const states = new Map<Operation, FormState>();

export function formState(operation: Operation): FormState {
  const known = states.get(operation) ?? {
    body: signal<Body>({}),
    file: signal<File | undefined>(undefined),
    run: createRun(operation),
  };
  states.set(operation, known);
  return known;
}

/** Whether answers come with the reasons for them. */
export const isExplained = signal(true);
