// Search providers and language models for the operator: their state, and a test of one.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MODEL_PURPOSES } from '../../contracts/operator/model-purpose.ts';
import type { ListProvidersResponse, TestResponse } from '../../contracts/operator/providers.ts';
import type { ModelStatus, OperatedModels } from '../../models/create-models.ts';
import type { Federation, ListedProvider } from '../../search/federation/federation.ts';
import { raceAbort } from '../../util/abort.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { requireOperator } from '../team/operator.ts';

interface ProvidersDeps {
  providers: Pick<Federation, 'list' | 'test'>;
  models: Pick<OperatedModels, 'status' | 'test'>;
  runningTests: RunningTests;
}

/** By what they test. */
export type RunningTests = Map<string, Promise<TestResult>>;
type TestResult = TestResponse['data'];
type Provider = ListProvidersResponse['data']['providers'][number];
type Model = ListProvidersResponse['data']['models'][number];

export async function listProviders(
  { providers, models }: ProvidersDeps,
  { caller }: Call<'listProviders'>,
): Promise<ListProvidersResponse> {
  requireOperator(caller);
  const listed = (await providers.list()).map(describeProvider);
  const inOrder = [...listed.filter(({ used }) => used), ...listed.filter(({ used }) => !used)];
  return { success: true, data: { providers: inOrder, models: models.status().map(describeModel) } };
}

export async function testProvider(
  { providers, runningTests }: ProvidersDeps,
  { caller, params: { name } }: Call<'testProvider'>,
): Promise<TestResponse> {
  requireOperator(caller);
  const test = async (signal: AbortSignal) => {
    const found = await providers.test(name, signal);
    if (!found) throw new ServiceError('PROVIDER_NOT_FOUND');
    const { label, ms, results, problem } = found;
    return problem === undefined ? { ok: true, ms, results } : { ok: false, ms, problem: `${label}: ${problem}.` };
  };
  return { success: true, data: await testOnce(runningTests, `provider ${name}`, test, caller.signal) };
}

export async function testModel({ models, runningTests }: ProvidersDeps, { caller, params }: Call<'testModel'>) {
  requireOperator(caller);
  const purpose = MODEL_PURPOSES.find((one) => one === params.purpose);
  if (!purpose) throw new ServiceError('PROVIDER_NOT_FOUND');
  const test = async (signal: AbortSignal) => {
    const found = await models.test(purpose, signal);
    return { ok: found.problem === undefined, ...found };
  };
  return { success: true as const, data: await testOnce(runningTests, `model ${purpose}`, test, caller.signal) };
}

/** Everybody who asks for the same test while it runs gets its one result, so it goes on when one of them leaves. */
function testOnce(
  running: RunningTests,
  name: string,
  test: (signal: AbortSignal) => Promise<TestResult>,
  signal: AbortSignal,
): Promise<TestResult> {
  // Providers and models have time limits of their own.
  const unlimited = new AbortController().signal;
  const started = running.get(name) ?? test(unlimited).finally(() => running.delete(name));
  running.set(name, started);
  return raceAbort(started, signal);
}

const describeProvider = (provider: ListedProvider): Provider => {
  const { name, label, sources, categories, isUsed, obstacle, hasKey, hasUrl, state, requests, failures } = provider;
  return {
    ...{ name, label, sources: [...sources], categories: [...categories], used: isUsed, hasKey, hasUrl },
    ...(obstacle !== undefined && { obstacle }),
    ...{ state, requests, failures },
    ...(provider.lastProblem && { lastProblem: problemAt(provider.lastProblem.text, provider.lastProblem.at) }),
    ...timesOf(provider),
  };
};

const describeModel = ({ purpose, model, state, problem, lastFailureAt, ...times }: ModelStatus): Model => ({
  ...{ purpose, model: model ?? null, state: state ?? 'none' },
  ...(problem !== undefined && { lastProblem: problemAt(`It ${problem}`, lastFailureAt ?? 0) }),
  ...timesOf(times),
});

const problemAt = (text: string, at: number) => ({
  text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  at: iso(at),
});

const timesOf = ({ pausedUntil, lastAnswerAt }: Pick<ListedProvider, 'pausedUntil' | 'lastAnswerAt'>) => ({
  ...(pausedUntil !== undefined && { pausedUntil: iso(pausedUntil) }),
  ...(lastAnswerAt !== undefined && { lastAnswerAt: iso(lastAnswerAt) }),
});
