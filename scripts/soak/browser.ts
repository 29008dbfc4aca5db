// Loads many pages in the browser, some of which crash, hang, never end or are aborted, and checks for leaks afterwards.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  browserRequest,
  descendants,
  EXECUTABLE,
  isAlive,
  problem,
  startEngine,
} from '../../test/support/browser/browser.ts';
import { page, reply, type Site } from '../../test/support/web/reply.ts';
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { startWeb } from '../../test/support/web.ts';
import type { SoakOptions } from './soak-options.ts';

const PAGES = 500;
const AT_ONCE = 4;
const REPORT_EVERY = 50;
const GIVE_UP_MS = 1_000;
const GONE_MS = 10_000;
/** One in this many pages is aborted. */
const TROUBLE = 25;
/** Growth between the first and the last hundred pages. Leaking one context per page would be many times that. */
const MAX_GROWTH_MB = 60;

const site: Site = {
  '/fine/*': reply(
    page('Fine', '<ul id="list"></ul><script>for (let n = 0; n < 300; n++) list.innerHTML += "<li>" + n</script>'),
  ),
  '/hangs': reply(page('Hangs', '<script>while (true) {}</script>')),
  '/silent': ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

export async function browser({ count = PAGES, seed }: SoakOptions): Promise<string[]> {
  if (EXECUTABLE === undefined) return [problem!];
  // Everything in it belongs to this run.
  const folder = mkdtempSync(join(tmpdir(), 'trawl-soak-'));
  process.env.TMPDIR = folder;
  const web = await startWeb({ 'soak.test': site });
  const { engine, stop } = startEngine(web, { maxPages: AT_ONCE });
  const dice = createDice(seed);
  const problems: string[] = [];
  const memory: number[] = [];
  const seen = new Set<number>();
  let done = 0;

  const one = async () => {
    const kind = dice.roll(TROUBLE);
    const path = kind === 0 ? '/hangs' : kind === 1 ? '/silent' : `/fine/${done}`;
    const signal = AbortSignal.timeout(kind < 2 ? GIVE_UP_MS : 60_000);
    const fetched = await engine
      .fetch(browserRequest(web.url('soak.test', path)), signal)
      .catch((error) => String(error));
    const isFine = typeof fetched !== 'string' && Buffer.from(fetched.bytes).includes('<li>299');
    if (isFine !== kind >= 2)
      problems.push(`${path}: ${typeof fetched === 'string' ? fetched : 'not as it should be'}`);
    if (kind === 2) killOne(dice);
    for (const pid of descendants(process.pid)) seen.add(pid);
    done += 1;
    if (done % REPORT_EVERY === 0) memory.push(report(done));
  };
  const worker = async () => {
    for (let left = Math.ceil(count / AT_ONCE); left > 0; left -= 1) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await stop();
  await web.stop();

  problems.push(...(await whatIsLeft(seen, folder)), ...growth(memory));
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

/** Kills a browser process, as the system does when memory runs out. */
function killOne(dice: Dice): void {
  const pids = descendants(process.pid);
  if (pids.length === 0) return;
  try {
    process.kill(dice.pick(pids), 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function report(done: number): number {
  const mb = process.memoryUsage().rss / 1_048_576;
  console.log(`${String(done).padStart(5)} pages, ${descendants(process.pid).length} processes, ${mb.toFixed(0)} MB`);
  return mb;
}

async function whatIsLeft(pids: ReadonlySet<number>, folder: string): Promise<string[]> {
  const end = Date.now() + GONE_MS;
  let alive = [...pids];
  while (alive.length > 0 && Date.now() < end) {
    await delay(50);
    alive = alive.filter(isAlive);
  }
  const folders = readdirSync(folder);
  return [
    ...(alive.length > 0 ? [`Of ${pids.size} processes ${alive.length} are still there.`] : []),
    ...(folders.length > 0 ? [`Temporary files are left: ${folders.join(', ')}.`] : []),
  ];
}

function growth(memory: readonly number[]): string[] {
  const [first, last] = [memory[1], memory.at(-1)];
  if (first === undefined || last === undefined || last - first <= MAX_GROWTH_MB) return [];
  return [`The memory of the program grew from ${first.toFixed(0)} to ${last.toFixed(0)} MB.`];
}
