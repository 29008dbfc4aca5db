// Mixes all operations with faults, in phases: clients work while faults happen, then everything rests and is checked.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LoopDelay, watchLoopDelay } from '../../../src/runtime/loop-delay.ts';
import { folderProblems } from '../../../test/kill/data-folder.ts';
import { EXECUTABLE, problem as noBrowser } from '../../../test/support/browser/browser.ts';
import { metricValue, readMetrics } from '../../../test/support/prometheus.ts';
import { createDice, type Dice } from '../../../test/support/web/words.ts';
import type { SoakOptions } from '../soak-options.ts';
import { FAULTS } from './faults.ts';
import { CANARIES, OPERATIONS, type Tools } from './operations.ts';
import { createProblems } from './problems.ts';
import { createPromises } from './promises.ts';
import { findSecrets } from './secrets.ts';
import { startSites } from './sites.ts';
import { createWorld } from './world.ts';

const MINUTES = 20;
const PHASE_MS = 60_000;
const CLIENTS = 4;
const LONGEST_PAUSE_MS = 400;
/** Between the end of a fault and the next one. */
const CALM_MS = 6_000;
const REST_MS = 5_000;
const MAX_LOOP_P99 = 0.25;
/** On a busy machine: so many times that of this process. */
const BUSY_MACHINE = 4;
const MAX_RSS_MB = 700;
const INDEX_MS = 60_000;

type Run = Omit<Tools, 'dice' | 'step' | 'number'> & {
  seed: number;
  nextStep(): number;
  /** Event loop delay of this process, which does little: a busy machine delays both. */
  loopDelay: LoopDelay;
};

export async function chaos({ minutes = MINUTES, seed }: SoakOptions): Promise<string[]> {
  const problems = createProblems((line) => console.log(line));
  const sites = await startSites();
  const hasBrowser = EXECUTABLE !== undefined;
  const world = await createWorld(sites, problems, hasBrowser);
  if (!hasBrowser) console.log(`Left out, operations and faults of browsers: ${noBrowser}`);
  if (!world.hasOwnDisk) console.log('Left out, the full disk: this user may not mount a file system.');
  const promises = createPromises(world, sites, problems);
  let steps = 0;
  const loopDelay = watchLoopDelay();
  const run: Run = { world, sites, promises, problems, seed, nextStep: () => ++steps, loopDelay };
  try {
    const phases = Math.max(1, Math.round((minutes * 60_000) / PHASE_MS));
    for (let phase = 1; phase <= phases; phase += 1) {
      await disturb(run, phase, hasBrowser);
      await rest(run, `phase ${phase}`);
    }
    await promises.check('the end');
    await world.restart('stop');
    await promises.check('the end');
    await finish(run);
  } finally {
    loopDelay.stop();
    await world.stop();
    await sites.stop();
  }
  for (const line of problems.summary()) console.log(line);
  return problems.list();
}

/** One phase: clients and faults at the same time. */
async function disturb(run: Run, phase: number, hasBrowser: boolean): Promise<void> {
  const ended = AbortSignal.timeout(PHASE_MS);
  const diceOf = (name: number) => createDice(run.seed * 1_000 + phase * 10 + name);
  const clients = Array.from({ length: CLIENTS }, (_, name) => work(run, diceOf(name), ended, hasBrowser));
  await Promise.all([...clients, misbehave(run, diceOf(CLIENTS), ended, hasBrowser)]);
}

async function work(run: Run, dice: Dice, ended: AbortSignal, hasBrowser: boolean): Promise<void> {
  const choices = weighted(OPERATIONS, ({ needsBrowser }) => hasBrowser || !needsBrowser);
  while (!ended.aborted) {
    const name = dice.pick(choices);
    const number = run.nextStep();
    const step = `step ${number} (${name})`;
    const outcome = await OPERATIONS[name]!.run({ ...run, dice, step, number }).catch((error: unknown) => {
      run.problems.add(step, `The client failed: ${String(error).slice(0, 200)}`);
      return 'failed';
    });
    run.problems.count('operation', name, outcome);
    await delay(dice.roll(LONGEST_PAUSE_MS));
  }
}

async function misbehave({ world, problems, nextStep }: Run, dice: Dice, ended: AbortSignal, hasBrowser: boolean) {
  const choices = weighted(FAULTS, ({ needsBrowser, needsOwnDisk }) => {
    return (hasBrowser || !needsBrowser) && (world.hasOwnDisk || !needsOwnDisk);
  });
  while (!ended.aborted) {
    await delay(1_000 + dice.roll(CALM_MS));
    if (ended.aborted) return;
    const name = dice.pick(choices);
    console.log(`  step ${nextStep()}: ${name}`);
    problems.count('fault', name, await FAULTS[name]!.run(world, dice));
  }
}

const weighted = <T extends { weight: number }>(
  table: Record<string, T>,
  isPossible: (entry: T) => boolean,
): string[] =>
  Object.entries(table)
    .filter(([, entry]) => isPossible(entry))
    .flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));

async function rest(run: Run, phase: string): Promise<void> {
  const { world, promises, problems, loopDelay } = run;
  await promises.check(phase);
  await checkSearch(run, phase);
  await delay(REST_MS);
  const ready = await world.call(phase, '/v0/health/readiness');
  if (ready?.status !== 200) problems.add(phase, `The service is not ready at rest: ${JSON.stringify(ready?.body)}`);
  const { body } = (await world.call(phase, '/metrics')) ?? {};
  const metrics = readMetrics(String(body?.text ?? '\n'));
  const value = (name: string, labels: Record<string, string>) => metricValue(metrics, name, labels);
  const p99 = value('trawl_loop_delay_seconds', { stat: 'p99' });
  const longest = value('trawl_loop_delay_seconds', { stat: 'max' });
  const rss = value('trawl_memory_bytes', { kind: 'rss' }) / 1_048_576;
  const children = value('trawl_memory_bytes', { kind: 'children' }) / 1_048_576;
  const own = loopDelay.read().p99;
  const ms = (seconds: number) => `${(seconds * 1000).toFixed(0)} ms`;
  console.log(
    `${phase}: loop delay p99 ${ms(p99)} (of this process ${ms(own)}), max ${ms(longest)}; ` +
      `memory ${rss.toFixed(0)} MB, children ${children.toFixed(0)} MB`,
  );
  if (p99 > Math.max(MAX_LOOP_P99, own * BUSY_MACHINE))
    problems.add(phase, `The loop delay (p99) exceeds ${ms(MAX_LOOP_P99)}.`);
  if (rss > MAX_RSS_MB) problems.add(phase, `The service holds more than ${MAX_RSS_MB} MB.`);
}

/** Whatever happened to the index, it has caught up with the store after a while. */
async function checkSearch({ world, problems }: Run, phase: string): Promise<void> {
  const body = JSON.stringify({ query: 'harbour' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  for (const end = performance.now() + INDEX_MS; performance.now() < end; await delay(1_000)) {
    const reply = await world.call(phase, '/v2/search', init);
    const { web = [] } = (reply?.body.data ?? {}) as { web?: unknown[] };
    if (web.length > 0) return problems.count('check', 'search', 'found');
  }
  problems.add(phase, 'A search does not find the scraped pages again.');
}

/** After the last stop: nothing is damaged, left over or readable that should not be. */
async function finish({ world, problems }: Run): Promise<void> {
  await world.end();
  for (const problem of folderProblems(world.dataDir)) problems.add('the end', problem);
  for (const problem of findSecrets(world.dataDir, CANARIES)) problems.add('the end', problem);
  for (const folder of [world.tmpDir, join(world.dataDir, 'incoming')]) {
    for (const name of readdirSync(folder)) problems.add('the end', `A temporary file is left: ${name}`);
  }
  const log = world.log();
  for (const [name, secret] of Object.entries(CANARIES)) {
    if (log.includes(secret)) problems.add('the end', `The secret "${name}" is in the log.`);
  }
  for (const line of log.split('\n')) {
    if (line.includes('"unexpected error"')) problems.add('the log', errorLine(line));
  }
}

function errorLine(line: string): string {
  const { err } = JSON.parse(line) as { err?: { type?: string; message?: string; stack?: string } };
  const place =
    err?.stack
      ?.split('\n')
      .find((each) => each.includes('/src/'))
      ?.trim() ?? '';
  return `unexpected error: ${err?.message} ${place.replace(/file:\S*\/src/, 'src')}`.slice(0, 300);
}
