// The state of the service itself: what probes ask, what it runs with, and its metrics. It is loaded at the start, since a
// probe has to be answered also where no file can be read any more.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { HealthDetails } from '../../contracts/operator/health.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';

export const liveness = (_deps: object, _call: OpenCall<'liveness'>): OpenAnswer => ({
  status: 200,
  body: { status: 'ok' },
});

interface ReadinessDeps {
  isReady(): boolean;
  health: Pick<StoreHealth, 'problem'>;
}

export function readiness({ isReady, health }: ReadinessDeps, _call: OpenCall<'readiness'>): OpenAnswer {
  if (!isReady()) throw new ServiceError('SERVICE_UNAVAILABLE');
  const problem = health.problem();
  if (problem !== undefined) throw new ServiceError('STORAGE_UNAVAILABLE', { message: problem });
  return { status: 200, body: { status: 'ok' } };
}

export const healthDetails = async (
  { readDetails }: { readDetails(): Promise<HealthDetails> },
  _call: OpenCall<'healthDetails'>,
): Promise<OpenAnswer> => ({ status: 200, body: await readDetails() });

export const metrics = async (
  { metricsText }: { metricsText(): Promise<string> },
  _call: OpenCall<'metrics'>,
): Promise<OpenAnswer> => ({ status: 200, body: await metricsText() });
