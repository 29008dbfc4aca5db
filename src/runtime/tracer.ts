// Port: traces. A span is one timed part of a request or a task; the spans around it are its parents. Without a collector,
// nothing is recorded.

/** As in the header `traceparent` of W3C Trace Context. */
export interface SpanContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  isSampled: boolean;
}

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  /** `server` for a request that somebody has sent, `client` for a call to another service. */
  kind?: 'internal' | 'server' | 'client';
  attributes?: SpanAttributes;
  /** The span of the sender of a request. Absent: the span around this one. */
  parent?: SpanContext;
}

export interface Tracer {
  /** Runs `work` as a span. It fails if `work` rejects. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Sends what is left. */
  close(): Promise<void>;
}

export const NO_TRACER: Tracer = { span: (_name, _options, work) => work(), close: async () => {} };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined if the header is absent or says nothing that can be used. */
export function readTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}
