// One job on one data folder, from its start until its last webhook call has come, however often the program is killed.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { folderProblems } from './data-folder.ts';
import type { Stage } from './stage.ts';

export interface JobPlan {
  stage: Stage;
  kind: JobKind;
  /** The request, without its webhook. */
  body: Record<string, unknown>;
  /** Under which its webhook calls are received. */
  name: string;
  limitMs: number;
}

export type JobKind = 'crawl' | 'batch_scrape';

export interface Progress {
  status: string;
  completed: number;
  total: number;
}

/** What is compared of a document; its text only as a hash. */
export interface SeenDocument {
  url: string;
  scrapeId: string;
  text: string;
}

/** A job under way, for those who disturb it. */
export interface JobRun {
  readonly stage: Stage;
  readonly dataDir: string;
  readonly settings: Record<string, string>;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** The service, started if it is not running. */
  service(): Promise<RunningService>;
  progress(): Promise<Progress>;
  /** Looks at the documents that came since the last look: from then on their places are settled. */
  look(): Promise<void>;
  kill(): Promise<void>;
}

export interface EndedJob extends Progress {
  kind: JobKind;
  documents: SeenDocument[];
  /** Those that were looked at while the job was running. */
  seen: SeenDocument[];
  errors: unknown[];
  /** The bodies of the webhook calls, in order. */
  calls: string[];
  folderProblems: string[];
  /** What the program wrote to its log as an error. */
  logged: string[];
}

const PATHS: Record<JobKind, string> = { crawl: '/v2/crawl', batch_scrape: '/v2/batch/scrape' };
const POLL_MS = 10;

/** Leaves neither process nor folder. */
export async function runJob(plan: JobPlan, disturb: (run: JobRun) => Promise<void>): Promise<EndedJob> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-job-'));
  const job = createJob(plan, dataDir);
  try {
    await job.start();
    await disturb(job.run);
    return await job.finish();
  } finally {
    await job.stop();
    rmSync(dataDir, { recursive: true });
  }
}

function createJob({ stage, kind, body, name, limitMs }: JobPlan, dataDir: string) {
  const settings = { TRAWL_DATA_DIR: dataDir, TRAWL_AUTH: 'off', TRAWL_LOG_LEVEL: 'error' };
  const signal = AbortSignal.timeout(limitMs);
  const seen: SeenDocument[] = [];
  const logged: string[] = [];
  let running: RunningService | undefined;
  let id = '';

  const service = async () => {
    running ??= await startServiceWith(stage.web, settings);
    return running;
  };

  const stop = async () => {
    await running?.stop();
    if (running?.output().stderr) logged.push(running.output().stderr);
    running = undefined;
  };

  const get = async <T>(rest: string): Promise<T> => {
    const response = await (await service()).fetch(`${PATHS[kind]}/${id}${rest}`);
    if (response.status !== 200) throw new Error(`The service answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };

  const progress = async (): Promise<Progress> => {
    const { status, completed, total } = await get<Progress>('?limit=1');
    return { status, completed, total };
  };

  const readFrom = async (skip: number): Promise<SeenDocument[]> => {
    const documents: SeenDocument[] = [];
    for (;;) {
      const { data } = await get<{ data: WireDocument[] }>(`?skip=${skip + documents.length}`);
      if (data.length === 0) return documents;
      documents.push(...data.map(readDocument));
    }
  };

  const run: JobRun = {
    stage,
    dataDir,
    settings,
    signal,
    service,
    progress,
    async look() {
      seen.push(...(await readFrom(seen.length)));
    },
    async kill() {
      await (await service()).kill();
      await stop();
      stage.open();
    },
  };

  return {
    run,
    async start() {
      const request = { ...body, webhook: stage.hook(name) };
      const answer = await (await service()).post<{ id: string }>(PATHS[kind], request);
      if (answer.status !== 200) throw new Error(`The job was refused: ${JSON.stringify(answer.body)}`);
      id = answer.body.id;
    },
    async finish(): Promise<EndedJob> {
      let now = await progress();
      while (now.status === 'scraping' || !stage.calls(name).at(-1)?.includes(`"${kind}.${now.status}"`)) {
        if (signal.aborted) throw new Error(`The job or its webhook calls did not end in time: ${JSON.stringify(now)}`);
        await sleep(POLL_MS);
        now = await progress();
      }
      const documents = await readFrom(0);
      const { errors } = await get<{ errors: unknown[] }>('/errors');
      const calls = stage.calls(name);
      await stop();
      return { ...now, kind, documents, seen, errors, calls, folderProblems: folderProblems(dataDir), logged };
    },
    stop,
  };
}

interface WireDocument {
  markdown?: string;
  metadata: { sourceURL: string; scrapeId: string };
}

const readDocument = ({ markdown = '', metadata }: WireDocument): SeenDocument => ({
  url: metadata.sourceURL,
  scrapeId: metadata.scrapeId,
  text: markdown && createHash('sha256').update(markdown).digest('hex').slice(0, 16),
});
