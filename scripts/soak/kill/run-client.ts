// Starts runs of each kind and reads how they ended.
import type { RunningProgram } from '../../../test/support/service.ts';
import type { RunStage } from './run-stage.ts';

export type RunKind = 'agent' | 'extract' | 'scrape check' | 'crawl check';

export interface StartedRun {
  kind: RunKind;
  /** `run-7`: its shop and its webhook. */
  name: string;
  /** Where its status is. */
  path: string;
}

export interface RunState {
  isEnded: boolean;
  status: string;
  credits: number;
  /** What it found, in a form that two runs of a kind can be compared by. */
  found: unknown;
  problem?: string;
}

const SCHEMA = {
  type: 'object',
  properties: {
    kettles: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
    },
  },
  required: ['kettles'],
};
/** Never during a soak: checks are started by hand. */
const ONCE_A_YEAR = { cron: '0 0 1 1 *', timezone: 'UTC' };

/** The service may be another process each time. */
type Service = () => Promise<RunningProgram>;

export async function startRun(kind: RunKind, name: string, stage: RunStage, service: Service): Promise<StartedRun> {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const { status, body: answer } = await (await service()).post<T>(path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const webhook = { url: stage.hook(name) };
  if (kind === 'agent' || kind === 'extract') {
    const url = stage.shop(name);
    const prompt = `Names and prices of the kettles of ${name}`;
    const request = { prompt, schema: SCHEMA, webhook, urls: kind === 'agent' ? [url] : [`${url}*`] };
    const { id } = await post<{ id: string }>(`/v2/${kind}`, request);
    return { kind, name, path: `/v2/${kind}/${id}` };
  }
  const target =
    kind === 'scrape check' ? { type: 'scrape', urls: stage.items(name) } : { type: 'crawl', url: stage.shop(name) };
  const monitor = { name, schedule: ONCE_A_YEAR, targets: [target], webhook };
  const { data: made } = await post<{ data: { id: string } }>('/v2/monitor', monitor);
  const { data: check } = await post<{ data: { id: string } }>(`/v2/monitor/${made.id}/run`, {});
  return { kind, name, path: `/v2/monitor/${made.id}/checks/${check.id}?limit=100` };
}

interface WireRun {
  status: string;
  data?: unknown;
  error?: string;
  creditsUsed?: number;
}

interface WireCheck {
  status: string;
  error: string | null;
  actualCredits: number | null;
  pages: { url: string; status: string }[];
  summary: Record<string, number>;
}

export async function readRun({ kind, path, name }: StartedRun, service: Service): Promise<RunState> {
  const response = await (await service()).fetch(path);
  const body = (await response.json()) as WireRun & { data: WireCheck };
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  // All shops are alike, but for the name.
  const comparable = (value: unknown) => JSON.parse(JSON.stringify(value ?? null).replaceAll(name, 'run'));
  if (kind === 'agent' || kind === 'extract') {
    const { status, data, error, creditsUsed = 0 } = body as WireRun;
    const isEnded = status !== 'processing';
    return { isEnded, status, credits: creditsUsed, found: comparable(data), ...(error && { problem: error }) };
  }
  const { status, pages, summary, actualCredits, error } = body.data;
  const seen = pages.map((page) => `${page.status} ${page.url}`).sort();
  return {
    isEnded: status !== 'queued' && status !== 'running',
    status,
    credits: actualCredits ?? 0,
    found: comparable({ pages: seen, summary }),
    ...(error && { problem: error }),
  };
}
