// Carries out an extraction in process, with a run in memory.
import { type ExtractResult, type ExtractRun, extractRequest } from '../../src/contracts/agent/extract.ts';
import { createExtractHandler } from '../../src/operations/extract/extract-handler.ts';
import type { RunView } from '../../src/store/ports/runs/run-store.ts';
import type { OpenOperations } from './operations.ts';
import { createMemoryRun } from './run-tools.ts';

/** `body` is the body of a request. */
export async function runExtract({ deps, caller }: OpenOperations, body: object) {
  const { webhook: _, ...request } = extractRequest.parse(body);
  const run = {
    ...{ id: 'run', teamId: caller.team.id, kind: 'extract', turn: 1, status: 'running' },
    ...{ zeroDataRetention: false, createdAt: 0, credits: 0, tokens: 0, expiresAt: 0 },
    request: { ...request, baseUrl: '' } satisfies ExtractRun,
  } as RunView;
  const tools = createMemoryRun();
  const handler = createExtractHandler({ ...deps, callerOf: async () => caller });
  const outcome = await handler.work(run, tools);
  const events = handler.endEvents({ ...run, tokens: tools.spent().tokens }, outcome);
  /** The inputs of all steps of this name. */
  const made = (name: string) => tools.steps.filter((step) => step.name === name).map(({ input }) => input as object);
  return { outcome, result: outcome.result as ExtractResult, tools, made, events };
}
