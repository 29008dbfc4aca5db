// Runs one task through the API, as a client does: start, poll, read the trace. Only one at a time, so that the costs are its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { metricValue, readMetrics } from '../../test/support/prometheus.ts';
import { cpuSeconds } from '../measure.ts';
import type { AgentTask } from './task.ts';
import type { TaskWeb } from './task-web.ts';

const POLL_MS = 100;
const LONGEST_MS = 900_000;

export interface TaskRun {
  status: string;
  /** Without ports in its URLs, as in the expected answers. */
  data: unknown;
  error?: string;
  stopReason?: string;
  warning?: string;
  /** Calls of tools. */
  steps: number;
  /** Different pages that were read. */
  pages: number;
  tokens: number;
  cpuSeconds: number;
  credits: number;
}

/** What the status of an agent holds, as far as it is read here. */
interface Status {
  status: string;
  data?: unknown;
  error?: string;
  stopReason?: string;
  warning?: string;
  creditsUsed?: number;
}

interface TraceEvent {
  type: string;
  toolName?: string;
  parameters?: unknown;
}

/** The service has no agent yet. */
export class NoAgent extends Error {}

export async function runTask(task: AgentTask, scene: TaskWeb): Promise<TaskRun> {
  const { service } = scene;
  const before = { cpu: cpuSeconds(service.pid), tokens: await tokensUsed(scene) };
  const id = await start(task, scene);
  const ended = await waitForEnd(id, scene);
  const events = await traceOf(id, scene);
  const calls = events.filter(({ type }) => type === 'tool_call.started');
  const read = calls
    .filter(({ toolName }) => toolName === 'scrape')
    .map(({ parameters }) => JSON.stringify(parameters));
  const { status, data, error, stopReason, warning, creditsUsed = 0 } = ended;
  return {
    status,
    data: data === undefined ? undefined : JSON.parse(scene.withoutPorts(JSON.stringify(data))),
    ...(error && { error }),
    ...(stopReason && { stopReason }),
    ...(warning && { warning }),
    steps: calls.length,
    pages: new Set(read).size,
    tokens: (await tokensUsed(scene)) - before.tokens,
    cpuSeconds: cpuSeconds(service.pid) - before.cpu,
    credits: creditsUsed,
  };
}

async function start(task: AgentTask, { service, withPort }: TaskWeb): Promise<string> {
  const { prompt, urls, schema, strictConstrainToURLs } = task;
  const { status, body } = await service.post<{ id: string }>('/v2/agent', {
    prompt,
    ...(urls && { urls: urls.map(withPort) }),
    ...(schema && { schema }),
    ...(strictConstrainToURLs && { strictConstrainToURLs }),
  });
  if (status === 501) throw new NoAgent('POST /v2/agent answers 501: this version has no agent.');
  if (status !== 200) throw new Error(`${task.name}: POST /v2/agent answered ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

async function waitForEnd(id: string, { service }: TaskWeb): Promise<Status> {
  const late = AbortSignal.timeout(LONGEST_MS);
  for (;;) {
    const response = await service.fetch(`/v2/agent/${id}`);
    const body = (await response.json()) as Status;
    if (response.status !== 200) throw new Error(`The status of ${id} is ${response.status}: ${JSON.stringify(body)}`);
    if (body.status !== 'processing') return body;
    if (late.aborted) return { status: 'no end', error: `No end within ${LONGEST_MS / 60_000} minutes.` };
    await sleep(POLL_MS);
  }
}

async function traceOf(id: string, { service }: TaskWeb): Promise<TraceEvent[]> {
  const response = await service.fetch(`/v2/agent/${id}/trace`);
  const { events = [] } = (await response.json()) as { events?: TraceEvent[] };
  return events;
}

async function tokensUsed({ service }: TaskWeb): Promise<number> {
  const response = await service.fetch('/metrics');
  return metricValue(readMetrics(await response.text()), 'trawl_model_tokens_total');
}
