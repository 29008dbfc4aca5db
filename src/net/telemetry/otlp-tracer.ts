// Records spans and sends them in batches to an OpenTelemetry collector: OTLP over HTTP, in its JSON encoding. What cannot be
// sent is dropped after a few attempts, so that a collector that is down costs nothing but its traces.
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../runtime/log.ts';
import type { SpanAttributes, SpanContext, SpanOptions, Tracer } from '../../runtime/tracer.ts';
import type { WorkScope } from '../../runtime/work-scope.ts';
import { createEngineClient } from '../engine-client.ts';

export interface OtlpSettings {
  /** Where traces go, such as http://collector:4318/v1/traces. */
  url: string;
  headers: Record<string, string>;
  /** The share of traces that is recorded, unless the sender of a request has decided. */
  ratio: number;
  /** Attributes of the program that the spans come from: service.name, service.instance.id, ... */
  resource: SpanAttributes;
}

interface Deps {
  scope: Pick<WorkScope, 'span' | 'trace'>;
  log: Pick<Log, 'warn'>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface EndedSpan {
  context: SpanContext;
  parentId?: string;
  name: string;
  options: SpanOptions;
  startedAt: number;
  endedAt: number;
  failure?: string;
}

const BATCH = 256;
const MAX_WAITING = 4_096;
const SEND_MS = 2_000;
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 3;
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const FAILED = 2;
const MAX_TEXT = 500;

export function createOtlpTracer({ url, headers, ratio, resource }: OtlpSettings, { scope, log, now }: Deps): Tracer {
  const { origin, pathname, search } = new URL(url);
  const client = createEngineClient(origin, 1);
  let waiting: EndedSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let hasWarned = false;

  const post = async (spans: EndedSpan[]): Promise<boolean> => {
    const request = { method: 'POST', path: pathname + search, timeoutMs: TIMEOUT_MS } as const;
    const body = JSON.stringify(toOtlp(spans, resource));
    try {
      const answer = await client.request({
        ...request,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      await answer.body.dump();
      // Spans that the collector refuses for good are not sent again.
      return answer.status < 500 && answer.status !== 429;
    } catch {
      return false;
    }
  };
  const send = async (): Promise<void> => {
    const spans = waiting.splice(0, BATCH);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await post(spans)) {
        hasWarned = false;
        return;
      }
      if (attempt < ATTEMPTS) await wait(attempt * 500);
    }
    if (!hasWarned) log.warn({ spans: spans.length }, 'the collector of traces does not accept them; they are dropped');
    hasWarned = true;
  };
  const sendAll = () => {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(async () => {
      while (waiting.length > 0) await send();
    });
  };
  const keep = (span: EndedSpan) => {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push(span);
    if (waiting.length >= BATCH) sendAll();
    else timer ??= setTimeout(sendAll, SEND_MS).unref();
  };

  return {
    async span(name, options, work) {
      const parent = options.parent ?? scope.span();
      const context: SpanContext = {
        traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
        spanId: randomBytes(8).toString('hex'),
        isSampled: parent?.isSampled ?? Math.random() < ratio,
      };
      if (!context.isSampled) return scope.trace(context, work);
      const started = { at: now(), exact: performance.now() };
      const end = (failure?: string) => {
        const endedAt = started.at + (performance.now() - started.exact);
        keep({ context, parentId: parent?.spanId, name, options, startedAt: started.at, endedAt, failure });
      };
      try {
        const value = await scope.trace(context, work);
        end();
        return value;
      } catch (error) {
        end(describe(error));
        throw error;
      }
    },
    async close() {
      sendAll();
      // The service ends within seconds, with or without its last traces.
      await Promise.race([sending, wait(SEND_MS, undefined, { ref: false })]);
      waiting = [];
      await client.close();
    },
  };
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (typeof code === 'string' ? code : String(message)).slice(0, MAX_TEXT);
}

/** ExportTraceServiceRequest of the OpenTelemetry protocol. */
const toOtlp = (spans: readonly EndedSpan[], resource: SpanAttributes) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'trawl' }, spans: spans.map(spanOf) }],
    },
  ],
});

const spanOf = ({ context, parentId, name, options, startedAt, endedAt, failure }: EndedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentId && { parentSpanId: parentId }),
  name,
  kind: KINDS[options.kind ?? 'internal'],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: attributesOf(options.attributes ?? {}),
  status: failure === undefined ? {} : { code: FAILED, message: failure },
});

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const attributesOf = (attributes: SpanAttributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value.slice(0, MAX_TEXT) };
}
