// Runs one job on one data folder until its last webhook call arrives, however often the program is killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { folderProblems } from './data-folder.ts';
import { createJobClient, type JobClient, type JobKind, type Progress, type SeenDocument } from './job-client.ts';
import type { Stage } from './stage.ts';

export interface JobPlan {
  stage: Stage;
  kind: JobKind;
  /** The request, without its webhook. */
  body: Record<string, unknown>;
  /** Name under which its webhook calls are received. */
  name: string;
  limitMs: number;
}

/** A running job, as seen by the functions that disturb it. */
export interface JobRun {
  readonly stage: Stage;
  readonly dataDir: string;
  readonly settings: Record<string, string>;
  /** Aborts when the time limit is reached. */
  readonly signal: AbortSignal;
  /** The service, started if it is not running. */
  service(): Promise<RunningProgram>;
  progress(): Promise<Progress>;
  control: JobClient['control'];
  /** Records the documents added since the last call. Their positions must not change afterwards. */
  look(): Promise<void>;
  kill(): Promise<void>;
}

export interface EndedJob extends Progress {
  kind: JobKind;
  documents: SeenDocument[];
  /** The documents recorded while the job was running. */
  seen: SeenDocument[];
  errors: unknown[];
  /** The bodies of the webhook calls, in order. */
  calls: string[];
  folderProblems: string[];
  /** The errors that the program logged. */
  logged: string[];
}

const POLL_MS = 50;

/** Cleans up the process and the data folder. */
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
  let running: RunningProgram | undefined;

  const service = async () => {
    running ??= await startServiceWith(stage.web, settings);
    return running;
  };
  const stop = async () => {
    await running?.stop();
    if (running?.output().stderr) logged.push(running.output().stderr);
    running = undefined;
  };
  const client = createJobClient(kind, service);
  const lastCallIs = (event: string) => stage.calls(name).at(-1)?.includes(`"type":"${kind}.${event}"`) === true;

  const run: JobRun = {
    stage,
    dataDir,
    settings,
    signal,
    service,
    progress: client.progress,
    control: client.control,
    async look() {
      seen.push(...(await client.documents(seen.length)));
    },
    async kill() {
      await (await service()).kill();
      await stop();
      stage.open();
    },
  };

  return {
    run,
    start: () => client.start({ ...body, webhook: stage.hook(name) }),
    async finish(): Promise<EndedJob> {
      let now = await client.progress();
      while (now.status === 'scraping' || !lastCallIs(now.status)) {
        if (signal.aborted) throw new Error(`The job or its webhook calls did not end in time: ${JSON.stringify(now)}`);
        await sleep(POLL_MS);
        now = await client.progress();
      }
      const [documents, errors, calls] = [await client.documents(0), await client.errors(), stage.calls(name)];
      await stop();
      return { ...now, kind, documents, seen, errors, calls, folderProblems: folderProblems(dataDir), logged };
    },
    stop,
  };
}
