// `npm run bench -- replay store|index`: the calls that a thread got during a crawl, replayed into the thread of a checkout. Nothing
// else runs meanwhile, and the calls are the same each time, so that two versions can be compared on a busy machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../test/support/program.ts';
import { type BenchOptions, median, type Row } from '../report.ts';
import { findRecording, type Recording } from './recording.ts';
import type { ReplayCost } from './replay-runner.ts';
import { isThread, type ThreadName } from './threads.ts';

const PAGES = 1_000;
const ROUNDS = 5;

export async function replay({ folder, count = ROUNDS, concurrency, against }: BenchOptions): Promise<Row[]> {
  if (!isThread(folder)) throw new Error('Name a thread: npm run bench -- replay store, or replay index.');
  const recording = await findRecording(PAGES, concurrency);
  const versions = [ROOT, ...(against ? [against] : [])];
  const costs = new Map(versions.map((root): [string, ReplayCost[]] => [root, []]));
  for (let round = 0; round < count; round += 1) {
    // Each round begins with the other version.
    for (const root of round % 2 === 0 ? versions : versions.toReversed()) {
      const cost = await replayInto(root, folder, recording);
      costs.get(root)!.push(cost);
      const ms = ((cost.user + cost.system) / recording.pages).toFixed(2);
      console.log(`  ${root === ROOT ? 'this version' : 'the other one'}: ${ms} CPU-ms a page`);
    }
  }
  const rows = [...costs].flatMap(([root, some]) =>
    costRows(folder, some, recording.pages).map((row) => (root === ROOT ? row : { ...row, system: 'other version' })),
  );
  if (!against) return rows;
  const wholeOf = (root: string) => costs.get(root)!.map(({ user, system }) => user + system);
  const others = wholeOf(against);
  const ratios = wholeOf(ROOT).map((own, round) => own / others[round]!);
  return [
    ...rows,
    { measure: `${folder} thread, compared (median of ${count} pairs)`, value: median(ratios), unit: 'times' },
  ];
}

function costRows(thread: ThreadName, costs: readonly ReplayCost[], pages: number): Row[] {
  const row = (measure: string, of: (cost: ReplayCost) => number): Row => ({
    ...{ measure, value: median(costs.map((cost) => of(cost) / pages)), unit: 'CPU-ms a page' },
  });
  const whole = costs.map(({ user, system }) => user + system);
  return [
    row(`${thread} thread`, ({ user, system }) => user + system),
    row(`${thread} thread, system`, ({ system }) => system),
    row("V8's helpers", ({ helpers }) => helpers),
    { measure: 'largest and smallest, apart', value: (Math.max(...whole) / Math.min(...whole) - 1) * 100, unit: '%' },
    { measure: 'answers of another size', value: Math.max(...costs.map(({ changed }) => changed)), unit: 'calls' },
  ];
}

/** In a process with the flags and the environment of that version, on a copy of the data folder. */
async function replayInto(root: string, thread: ThreadName, recording: Recording): Promise<ReplayCost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-replayed-'));
  try {
    cpSync(join(recording.folder, 'data'), dataDir, { recursive: true });
    const { FLAGS, runtimeEnvironment } = await import(pathToFileURL(join(root, 'bin/runtime.mjs')).href);
    const child = fork(
      join(import.meta.dirname, 'replay-runner.ts'),
      [root, thread, dataDir, JSON.stringify(recording)],
      { execArgv: FLAGS, env: { ...process.env, ...runtimeEnvironment(root) } },
    );
    const ended = once(child, 'exit');
    const [answer] = await Promise.race([once(child, 'message'), ended]);
    await ended;
    if (typeof answer !== 'object') throw new Error('The replay ended before it was over.');
    return answer as ReplayCost;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
