// A client of the cluster that asks any process which runs, again and again until one answers.
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './members.ts';

interface AnyJob {
  id: string;
  kind: 'crawl' | 'batch';
  urls: string[];
}

export interface Progress {
  id: string;
  status: string;
  total: number;
  completed: number;
  creditsUsed: number;
}

interface Document {
  metadata: { sourceURL: string; statusCode: number };
}

interface Check {
  status: string;
  pages: { url: string; status: string }[];
}

const PATIENCE_MS = 180_000;
const PAGE = 200;

export function createClient(cluster: Pick<Cluster, 'any'>) {
  const checks: { monitor: string; check: string; expected: string }[] = [];
  const monitors: string[] = [];

  /** Only what may be repeated: reads, searches. */
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await cluster
        .any()
        ?.fetch(path, body === undefined ? {} : jsonBody(body))
        .then(async (response) => ({ status: response.status, body: (await response.json()) as T }))
        .catch(() => undefined);
      if (answer && answer.status < 500) return answer.body;
      if (performance.now() > end) throw new Error(`Nobody answers ${path}: ${JSON.stringify(answer)}`);
      await wait(200);
    }
  };
  const progressOf = async ({ id, kind }: AnyJob): Promise<Progress> => ({
    ...(await ask<Progress>(kind === 'crawl' ? `/v2/crawl/${id}?limit=1` : `/v2/batch/scrape/${id}?limit=1`)),
    id,
  });

  const documentsOf = async ({ id, kind }: AnyJob): Promise<Document[]> => {
    const path = kind === 'crawl' ? `/v2/crawl/${id}` : `/v2/batch/scrape/${id}`;
    const documents: Document[] = [];
    for (;;) {
      const { data } = await ask<{ data: Document[] }>(`${path}?skip=${documents.length}&limit=${PAGE}`);
      if (data.length === 0) return documents;
      documents.push(...data);
    }
  };

  const runCheck = async (monitor: string, expected: string): Promise<void> => {
    const { id: check } = await ask<{ id: string }>(`/v2/monitor/${monitor}/run`, {});
    checks.push({ monitor, check, expected });
  };
  const endOf = async (monitor: string, check: string): Promise<Check> => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const { data } = await ask<{ data: Check }>(`/v2/monitor/${monitor}/checks/${check}?limit=100`);
      if (data.status !== 'running' && data.status !== 'queued') return data;
      if (performance.now() > end) throw new Error(`A check does not end: ${JSON.stringify(data).slice(0, 300)}`);
      await wait(500);
    }
  };

  return {
    async start(path: string, body: unknown): Promise<string> {
      const { id, error } = await ask<{ id?: string; error?: string }>(path, body);
      if (!id) throw new Error(`${path} was refused: ${error}`);
      return id;
    },
    progress: (jobs: readonly AnyJob[]) => Promise.all(jobs.map(progressOf)),
    /** Whether the first answer that some process gives to a search has the page. */
    async finds({ word, url }: { word: string; url: string }): Promise<boolean> {
      const { data } = await ask<{ data?: { web?: { url: string }[] } }>('/v2/search', { query: word, limit: 5 });
      return data?.web?.some((found) => found.url === url) ?? false;
    },
    async waitingDeliveries(): Promise<string[]> {
      const { data } = await ask<{ data: unknown[] }>('/v2/webhooks/deliveries?status=waiting&limit=10');
      return data.map((delivery) => JSON.stringify(delivery));
    },
    async problemsOf(job: AnyJob): Promise<string[]> {
      const { status, total, completed, creditsUsed } = await progressOf(job);
      const found = (await documentsOf(job)).map(({ metadata }) => metadata.sourceURL);
      const [once, wanted] = [new Set(found), new Set(job.urls)];
      const lost = job.urls.filter((url) => !once.has(url));
      const extra = [...once].filter((url) => !wanted.has(url));
      const problems = [
        status === 'completed' ? '' : `it is ${status}`,
        lost.length === 0 ? '' : `${lost.length} pages are lost, such as ${lost[0]}`,
        extra.length === 0 ? '' : `${extra.length} pages do not belong to it, such as ${extra[0]}`,
        found.length === once.size ? '' : `${found.length - once.size} pages are there twice`,
        total === found.length && completed === found.length ? '' : `it counts ${completed} of ${total} pages`,
        creditsUsed === found.length ? '' : `it has cost ${creditsUsed} credits for ${found.length} pages`,
      ];
      return problems.filter((text) => text !== '').map((text) => `${job.kind} ${job.id}: ${text}`);
    },
    async startMonitors(count: number, url: string): Promise<void> {
      for (let number = 1; number <= count; number++) {
        const targets = [{ type: 'scrape', urls: [url] }];
        const monitor = { name: `Monitor ${number}`, schedule: { text: 'weekly' }, targets };
        const { data } = await ask<{ data: { id: string } }>('/v2/monitor', monitor);
        monitors.push(data.id);
        await runCheck(data.id, 'new');
      }
    },
    /** Waits for the checks that run, checks each monitor once more, and compares what they found. */
    async monitorProblems(): Promise<string[]> {
      for (const { monitor, check } of [...checks]) await endOf(monitor, check);
      for (const monitor of monitors) await runCheck(monitor, 'same');
      const problems: string[] = [];
      for (const { monitor, check, expected } of checks) {
        const { status, pages } = await endOf(monitor, check);
        const states = pages.map((page) => page.status).join();
        if (status !== 'completed' || states !== expected)
          problems.push(`Monitor ${monitor}: a check is ${status} and found ${states} instead of ${expected}.`);
      }
      return problems;
    },
  };
}

const jsonBody = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
