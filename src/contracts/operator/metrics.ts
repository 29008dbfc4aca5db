// The table of metrics at GET /metrics, from which the registry and the documentation are made. Labels have fixed values.
import type { Metric, Metrics } from '../../runtime/metrics.ts';
import { DIALECT_NAMES, type DialectName } from '../dialects/dialect-names.ts';
import { ERROR_TABLE, type ErrorCode } from '../errors/errors.ts';
import { type OperationId, ROUTES } from '../routes.ts';
import { RATE_BUCKETS } from '../team/policy.ts';
import { MODEL_PURPOSES } from './model-purpose.ts';

/** Why an address was refused. */
export const EGRESS_RULES = [
  'egress_scheme',
  'egress_own_service',
  'egress_credentials',
  'egress_port',
  'egress_name',
  'egress_address',
  'egress_operator_only',
] as const;
export type EgressRule = (typeof EGRESS_RULES)[number];

/** An answer with one of these statuses is a refusal of the request, and its code the rule. */
const REFUSING = new Set([400, 401, 403, 405, 409, 413, 415, 429]);
const errorCodes = Object.keys(ERROR_TABLE) as ErrorCode[];
/** `mcp` and dialects stand for their wire; each call that it leads to is counted as the operation that it is. */
export type MeasuredAs = OperationId | DialectName | 'mcp' | 'none';
const operations: readonly MeasuredAs[] = [...(Object.keys(ROUTES) as OperationId[]), ...DIALECT_NAMES, 'mcp', 'none'];

export const isRefusal = (code: ErrorCode): boolean => REFUSING.has(ERROR_TABLE[code].status);

const LONG_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

export const METRICS = {
  trawl_process: {
    type: 'gauge',
    help: '1, with the role of this process. If several share a database, all series have the label process',
    labels: { role: ['all', 'api', 'worker', 'browser'] },
  },
  trawl_ready: { type: 'gauge', help: '1 while the service is ready, 0 while it starts or stops' },
  trawl_requests_total: {
    type: 'counter',
    help: 'Requests by operation and outcome; aborted: the client left before the answer; none: no such path',
    labels: { operation: operations, status: ['2xx', '3xx', '4xx', '5xx', 'aborted'] },
  },
  trawl_request_seconds: {
    type: 'histogram',
    help: 'Time from the headers of a request to the end of its answer',
    labels: { operation: operations },
    buckets: LONG_SECONDS,
  },
  trawl_errors_total: {
    type: 'counter',
    help: 'Answers with an error, by code',
    labels: { code: errorCodes },
  },
  trawl_refusals_total: {
    type: 'counter',
    help: 'Refusals by rule: an address (egress_...), a page (robots), or a request (its error code)',
    labels: { rule: [...EGRESS_RULES, 'robots', ...errorCodes.filter(isRefusal)] as readonly Rule[] },
  },
  trawl_rate_limited_total: {
    type: 'counter',
    help: 'Requests refused because of a rate limit of their team or key, by the bucket of the call',
    labels: { bucket: RATE_BUCKETS },
  },
  trawl_pages_total: {
    type: 'counter',
    help: 'Pages read for scrapes, jobs, maps and searches, by where they came from; failed: no page',
    labels: { source: ['cache', 'http', 'chrome-http', 'browser', 'manual', 'upload', 'failed'] },
  },
  trawl_cache_lookups_total: {
    type: 'counter',
    help: 'Page reads by what the cache had; bypassed: the request accepts no cached copy',
    labels: { result: ['hit', 'miss', 'bypassed'] },
  },
  trawl_job_pages_total: {
    type: 'counter',
    help: 'Tasks of crawls and batches that ended, by what became of them; waiting: to be tried again',
    labels: { outcome: ['done', 'duplicate', 'failed', 'blocked', 'waiting', 'lost'] },
  },
  trawl_engine_seconds: {
    type: 'histogram',
    help: 'Time of one attempt to fetch, transform or parse a page',
    labels: {
      engine: ['http', 'chrome-http', 'browser', 'transform', 'parse'],
      outcome: ['ok', 'failed'],
    },
    buckets: LONG_SECONDS,
  },
  trawl_slot_wait_seconds: {
    type: 'histogram',
    help: "Time that a request waited for one of its team's slots",
    buckets: LONG_SECONDS,
  },
  trawl_host_wait_seconds: {
    type: 'histogram',
    help: 'Time that pages of a job waited because their site takes no more requests at once',
    buckets: LONG_SECONDS,
  },
  trawl_hosts: {
    type: 'gauge',
    help: 'Sites that jobs are busy with; full: no further request may start now',
    labels: { state: ['open', 'full'] },
  },
  trawl_jobs_unfinished: { type: 'gauge', help: 'Crawls and batches that have not ended' },
  trawl_runs_unfinished: { type: 'gauge', help: 'Agents, extractions and checks of monitors that have not ended' },
  trawl_queue_pages: {
    type: 'gauge',
    help: 'Pages of unfinished jobs',
    labels: { state: ['waiting', 'running'] },
  },
  trawl_queue_age_seconds: { type: 'gauge', help: 'Age of the oldest unfinished job' },
  trawl_webhooks_waiting: { type: 'gauge', help: 'Webhook calls still to be made' },
  trawl_webhooks_overdue_seconds: { type: 'gauge', help: 'How long the most overdue webhook call has been due' },
  trawl_index_lag_changes: { type: 'gauge', help: 'Changes of pages that searches do not see yet' },
  trawl_cache_bytes: { type: 'gauge', help: 'Size of all cached pages with their results' },
  trawl_store_bytes: { type: 'gauge', help: 'Size of store.db, without its log' },
  trawl_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop over the last one to two minutes',
    labels: { stat: ['p50', 'p99', 'max'] },
  },
  trawl_memory_bytes: {
    type: 'gauge',
    help: 'Memory of the service; children: private memory of browsers, parsers and other programs it runs; browsers: of these alone',
    labels: { kind: ['rss', 'heap_used', 'external', 'children', 'browsers'] },
  },
  trawl_clock_offset_seconds: {
    type: 'gauge',
    help: 'How far the wall clock is ahead of the time that the service uses; not near 0 after a jump',
  },
  trawl_cpu_seconds: {
    type: 'gauge',
    help: 'Processor time used by the service since its start, without its children',
  },
  trawl_browsers: {
    type: 'gauge',
    help: 'Browser programs that run: for scrapes, and for sessions',
    labels: { for: ['pages', 'sessions'] },
  },
  trawl_model_calls_total: {
    type: 'counter',
    help: 'Calls of language models by purpose; cached: an identical call was answered before, and nothing was sent',
    labels: { purpose: [...MODEL_PURPOSES, 'embed'], outcome: ['ok', 'failed', 'cached'] },
  },
  trawl_model_tokens_total: {
    type: 'counter',
    help: 'Tokens of language models by purpose, estimated where the server does not count them',
    labels: { purpose: [...MODEL_PURPOSES, 'embed'], direction: ['input', 'output'] },
  },
  trawl_browser_pages: { type: 'gauge', help: 'Pages open in the browsers for scrapes' },
} as const satisfies Readonly<Record<string, Metric>>;

/** What a refusal is counted under. */
type Rule = EgressRule | 'robots' | ErrorCode;

export type ServiceMetrics = Metrics<typeof METRICS>;
