// What operators see of one piece of work: labels in the log, spans in traces. The parts themselves know nothing of it.

import type { InRequest } from '../../calls/calls.ts';
import type { Config } from '../../config/settings.ts';
import type { Log } from '../../runtime/log.ts';
import { override } from '../../runtime/threads/thread.ts';
import { NO_TRACER, readTraceparent, type Tracer } from '../../runtime/tracer.ts';
import { readVersion } from '../../runtime/version.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';

interface Parts {
  scope: WorkScope;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** Loads nothing unless traces go somewhere. */
export async function composeTracer(config: Config, { scope, clock, log }: Parts): Promise<Tracer> {
  const { traceEndpoint, traceHeaders = {}, traceRatio, serviceName, processName } = config;
  if (traceEndpoint === undefined) return NO_TRACER;
  const { createOtlpTracer } = await import('../../net/telemetry/otlp-tracer.ts');
  const resource = {
    'service.name': serviceName,
    'service.version': readVersion(),
    'service.instance.id': processName,
    'trawl.role': config.role,
  };
  return createOtlpTracer(
    { url: `${traceEndpoint}/v1/traces`, headers: traceHeaders, ratio: traceRatio, resource },
    { scope, log, now: clock.now },
  );
}

export const requestScope =
  (scope: WorkScope, tracer: Tracer): InRequest =>
  ({ id, operation, traceparent }, work) =>
    scope.label({ request: id }, () =>
      tracer.span(
        operation,
        { kind: 'server', attributes: { 'trawl.request': id }, parent: readTraceparent(traceparent) },
        work,
      ),
    );

/** A port whose calls are spans. Methods that do not answer with a promise stay as they are. */
function tracePort<Port extends object>(port: Port, name: string, tracer: Tracer): Port {
  if (tracer === NO_TRACER) return port;
  const traced = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, key) {
      const known = traced.get(key);
      if (known) return known;
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function' || typeof key !== 'string') return member;
      const spanned = (...args: unknown[]) =>
        tracer.span(`${name}.${key}`, { kind: 'client' }, async () => Reflect.apply(member, target, args));
      traced.set(key, spanned);
      return spanned;
    },
  });
}

/** What a request or a task waits for. */
const TRACED = ['pages', 'scrapes', 'jobs', 'queue', 'runs', 'runQueue', 'files', 'ledger', 'history', 'feed'] as const;

export function traceStore(store: Store, tracer: Tracer): Store {
  if (tracer === NO_TRACER) return store;
  const traced = TRACED.map((name) => [name, tracePort(store[name], name, tracer)]);
  return override<Store>(store, Object.fromEntries(traced) as Partial<Store>);
}
