// Kills the service at random moments while agents, extractions and checks of monitors run. In the end each of them must have
// found, sent and cost the same as an undisturbed one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderProblems } from '../../../test/kill/data-folder.ts';
import { killWhileStarting } from '../../../test/kill/job-kills.ts';
import { type RunningProgram, startServiceWith } from '../../../test/support/service.ts';
import { createDice, type Dice } from '../../../test/support/web/words.ts';
import type { SoakOptions } from '../soak-options.ts';
import { type RunKind, readRun, type StartedRun, startRun } from './run-client.ts';
import { type EndedRun, runProblems } from './run-problems.ts';
import { type RunStage, startRunStage } from './run-stage.ts';

interface RunSoak extends SoakOptions {
  /** A scripted model drives the agents. */
  withModel: boolean;
}

const KILLS = 20;
const AT_ONCE = 4;
const POLL_MS = 100;
/** A start takes about this long, so a kill may hit any part of it. */
const START_MS = 1_000;
const MOST_EVENTS = 12;
const LONGEST_DELAY_MS = 40;
const QUIET_MS = 3_000;
const END_MS = 240_000;

export async function killRuns({ count = KILLS, seed, withModel }: RunSoak): Promise<string[]> {
  const kinds: RunKind[] = withModel ? ['agent'] : ['agent', 'extract', 'scrape check', 'crawl check'];
  const stage = await startRunStage();
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-runs-'));
  const soak = openSoak(stage, dataDir, withModel);
  try {
    const undisturbed = new Map<RunKind, EndedRun>();
    for (const kind of kinds) undisturbed.set(kind, await soak.waitFor(await soak.start(kind)));
    console.log(`${withModel ? 'With a scripted model' : 'Without a model'}: ${describe([...undisturbed.values()])}`);
    const runs = await killManyTimes(soak, kinds, count, createDice(seed));
    const ended: EndedRun[] = [];
    for (const run of runs) ended.push(await soak.waitFor(run));
    await soak.stop();
    return [
      ...[...undisturbed.values()].filter(({ status }) => status !== 'completed').map(notCompleted),
      ...ended.flatMap((run) => runProblems(run, undisturbed.get(run.kind)!)),
      ...soak.logged.map((text) => `The program has logged errors: ${text}`),
      ...folderProblems(dataDir),
    ];
  } finally {
    await soak.stop();
    await stage.stop();
    rmSync(dataDir, { recursive: true });
  }
}

const notCompleted = ({ kind, status, problem }: EndedRun): string =>
  `An undisturbed ${kind} ended as ${status}: ${problem ?? 'without an error'}`;

const describe = (runs: readonly EndedRun[]): string =>
  runs.map(({ kind, calls, credits }) => `${kind} (${calls.length} webhook calls, ${credits} credits)`).join(', ');

type Soak = ReturnType<typeof openSoak>;

function openSoak(stage: RunStage, dataDir: string, withModel: boolean) {
  const settings = {
    TRAWL_DATA_DIR: dataDir,
    TRAWL_AUTH: 'off',
    TRAWL_LOG_LEVEL: 'error',
    ...(withModel && stage.modelSettings),
  };
  const logged: string[] = [];
  let running: Promise<RunningProgram> | undefined;
  let started = 0;
  const service = () => {
    running ??= startServiceWith(stage.web, settings);
    return running;
  };
  const leave = async (end: (service: RunningProgram) => Promise<unknown>) => {
    const left = await running;
    running = undefined;
    if (!left) return;
    await end(left);
    if (left.output().stderr) logged.push(left.output().stderr);
  };
  const isOver = async (run: StartedRun) => (await readRun(run, service)).isEnded;
  return {
    stage,
    settings,
    logged,
    isOver,
    service,
    async start(kind: RunKind): Promise<StartedRun> {
      started += 1;
      return startRun(kind, `run-${started}`, stage, service);
    },
    async kill() {
      await service();
      await leave((left) => left.kill());
      stage.answerCalls();
    },
    stop: () => leave((left) => left.stop()),
    /** Until the run has ended and its last webhook call has arrived. */
    async waitFor(run: StartedRun): Promise<EndedRun> {
      const late = AbortSignal.timeout(END_MS);
      for (;;) {
        const state = await readRun(run, service);
        const calls = stage.calls(run.name);
        const isTold = calls.some((body) => /"type":"[\w.]+\.(?:completed|failed|cancelled)"/.test(body));
        if (state.isEnded && isTold) return { ...run, ...state, calls, turns: stage.turns(run.name) };
        if (late.aborted)
          throw new Error(`${run.kind} ${run.name} did not end: ${JSON.stringify({ ...state, calls })}`);
        await sleep(POLL_MS);
      }
    },
  };
}

/** Keeps a few runs going, so that every kill hits some. Returns all that were started. */
async function killManyTimes(soak: Soak, kinds: readonly RunKind[], count: number, dice: Dice): Promise<StartedRun[]> {
  const all: StartedRun[] = [];
  let unfinished: StartedRun[] = [];
  for (let nth = 1; nth <= count; nth++) {
    const states = await Promise.all(unfinished.map(soak.isOver));
    unfinished = unfinished.filter((_, at) => !states[at]);
    while (unfinished.length < AT_ONCE) {
      const run = await soak.start(dice.pick([...kinds]));
      unfinished.push(run);
      all.push(run);
    }
    console.log(`${String(nth).padStart(4)}. ${await killOnce(soak, dice)}; ${all.length} runs so far`);
  }
  return all;
}

async function killOnce(soak: Soak, dice: Dice): Promise<string> {
  const kind = dice.roll(5);
  if (kind === 0) {
    const ms = 1 + dice.roll(START_MS);
    await soak.kill();
    await killWhileStarting(soak, ms);
    return `at once, and again ${ms} ms after a start`;
  }
  if (kind === 1) {
    const isHeld = await Promise.race([soak.stage.holdNextCall().then(() => true), sleep(QUIET_MS, false)]);
    await soak.kill();
    return isHeld ? 'during a webhook call' : 'while nothing happened';
  }
  const [events, delayMs] = [1 + dice.roll(MOST_EVENTS), dice.roll(LONGEST_DELAY_MS)];
  const until = soak.stage.activity + events;
  for (let waited = 0; soak.stage.activity < until && waited < QUIET_MS; waited += 5) await sleep(5);
  await sleep(delayMs);
  await soak.kill();
  return `${delayMs} ms after ${events} answers`;
}
