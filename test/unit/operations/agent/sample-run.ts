// A run of an agent as the store returns it, for tests of what is shown of it.
import { agentRequest } from '../../../../src/contracts/agent/agent.ts';
import type { Models } from '../../../../src/models/language-model.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import type { RunStep, RunView } from '../../../../src/store/ports/runs/run-store.ts';

export const RUN_ID = '0197a3b0-0000-7000-8000-000000000001';
export const THREAD_ID = '0197a3b0-0000-7000-8000-000000000002';
export const caller = { team: { id: 'a', name: 'a' } } as Caller;

export const sampleRun = (changes: Partial<RunView> = {}, request: object = {}): RunView => ({
  id: RUN_ID,
  teamId: 'a',
  kind: 'agent',
  group: THREAD_ID,
  turn: 1,
  status: 'running',
  request: { ...agentRequest.parse({ prompt: 'Find prices', ...request }), baseUrl: 'http://trawl.test' },
  zeroDataRetention: false,
  hasWebhook: false,
  attempt: 1,
  workedMs: 0,
  credits: 3,
  tokens: 0,
  createdAt: 1_000,
  startedAt: 2_000,
  expiresAt: 90_000_000,
  ...changes,
});

export const sampleStep = (name: string, changes: Partial<RunStep> = {}): RunStep => ({
  key: `${name}-${changes.startedAt ?? 0}`,
  name,
  state: 'finished',
  input: {},
  output: {},
  credits: 0,
  tokens: 0,
  startedAt: 3_000,
  finishedAt: 4_000,
  ...changes,
});

/** The store as far as it is read, and no language model. */
export const depsFor = (run: RunView | undefined, steps: RunStep[] = []) => ({
  runs: { view: async () => run, steps: async () => steps, list: async () => (run ? [run] : []) },
  models: { choose: () => ({ without: 'none is set' }) } satisfies Models,
  clock: { now: () => 5_000 },
  sessions: { list: () => [] },
});
