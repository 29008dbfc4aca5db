// `npm run demo`: a tour of Trawl that needs no network. Starts a small web and the service beside it, shows each request
// as curl with its real answer, checks what comes back, and leaves nothing behind. Exits with 1 if a check failed.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createScreen, type Screen } from './screen.ts';
import { createDemoService, type DemoService } from './service.ts';
import { hostile } from './tour/hostile.ts';
import { kill } from './tour/kill.ts';
import { browser, parse, scrape } from './tour/pages.ts';
import { crawl, map, search } from './tour/sites.ts';
import { createStage, inWords, type Stage, type Step, type Tally } from './tour/stage.ts';
import { type DemoWeb, startWeb } from './web/web.ts';

/** Hosts that needed a browser once are rendered from then on, so the browser comes last. */
const STEPS: readonly Step[] = [scrape, parse, map, crawl, search, kill, hostile, browser];
/** Ports of the examples in README.md and docs/use/start.md, taken with --stay if they are free. */
const STAY_PORTS = { web: 4400, service: 3002 };
const INTERRUPTED = 130;
const USAGE = `npm run demo -- [STEP ...] [--pause] [--stay]

  STEP      only these: ${STEPS.map(({ name }) => name).join(', ')}
  --pause   wait for Enter before each step
  --stay    leave the service and the small web running after the tour, until Ctrl-C`;

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leaving.abort(signal));

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 1;
  const hasColours = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  const screen = createScreen((line) => console.log(line), hasColours);
  const began = performance.now();
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const cleanUp = createCleanUp();
  let isOver = false;
  try {
    const stage = await setTheStage(screen, tally, options.stay, cleanUp);
    for (const [index, step] of options.steps.entries()) await takeStep(stage, tally, step, index, options.pause);
    summarise(screen, tally, performance.now() - began);
    isOver = true;
    if (options.stay) await stay(stage);
    else screen.text('`npm run demo -- --stay` leaves the service and the small web running, for trying things out.');
  } catch (error) {
    if (!leaving.signal.aborted) {
      tally.failed += 1;
      screen.check(false, `The demo has failed: ${(error as Error).message}`);
    }
  } finally {
    screen.text(await cleanUp.run());
  }
  if (leaving.signal.aborted && !isOver) return INTERRUPTED;
  return tally.failed > 0 ? 1 : 0;
}

interface Options {
  steps: readonly Step[];
  pause: boolean;
  stay: boolean;
}

function readOptions(): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { pause: { type: 'boolean', default: false }, stay: { type: 'boolean', default: false } },
    });
    const unknown = positionals.find((name) => !STEPS.some((step) => step.name === name));
    if (unknown !== undefined) throw new Error(`There is no step "${unknown}".`);
    const steps = STEPS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { steps, ...values };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

interface CleanUp {
  folder?: string;
  web?: DemoWeb;
  service?: DemoService;
  /** Returns a sentence that says what was done. */
  run(): Promise<string>;
}

function createCleanUp(): CleanUp {
  const made: CleanUp = {
    async run() {
      await made.service?.stop();
      await made.web?.stop();
      // A browser that lost its service may still be writing for a moment.
      if (made.folder) await rm(made.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      return `The service and the small web have stopped, and ${made.folder} is removed.`;
    },
  };
  process.on('exit', () => {
    made.service?.killNow();
    if (made.folder) rmSync(made.folder, { recursive: true, force: true });
  });
  return made;
}

async function setTheStage(screen: Screen, tally: Tally, stays: boolean, cleanUp: CleanUp): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-demo-'));
  cleanUp.folder = folder;
  await mkdir(join(folder, 'tmp'));
  const web = await startWeb(stays ? STAY_PORTS.web : 0);
  cleanUp.web = web;
  const wantedPort = stays ? STAY_PORTS.service : 0;
  const service = await createDemoService({ folder, webHost: web.host, wantedPort });
  cleanUp.service = service;

  screen.heading('Trawl: a tour without a network');
  screen.text(
    `A small web that comes with the project, the site of a ship chandler, is running at ${web.url}/. Trawl refuses to connect to addresses on this machine, so TRAWL_ALLOW_NETWORKS names this one server; everything else stays forbidden. No search provider is asked, and all data goes to a temporary folder.`,
  );
  screen.command(`export KEY=${service.key}\n${service.settings}`);
  const ms = await service.start(leaving.signal);
  screen.answer(`ready after ${inWords(ms)}`);
  screen.text('Answers are shown in short: "…" stands for what was left out, and texts of several lines are unfolded.');
  return createStage({ web, service, screen, folder, signal: leaving.signal }, tally);
}

async function takeStep(stage: Stage, tally: Tally, step: Step, index: number, pause: boolean): Promise<void> {
  leaving.signal.throwIfAborted();
  if (pause) await waitForEnter(step);
  stage.screen.heading(`${index + 1}. ${step.title}`);
  try {
    await step.run(stage);
  } catch (error) {
    leaving.signal.throwIfAborted();
    tally.failed += 1;
    stage.screen.check(false, `The step has failed: ${describe(error)} ${stage.service.errors()}`);
  }
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message}).` : message;
}

async function waitForEnter({ title }: Step): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    await lines.question(`\nNext: ${title}. Press Enter. `, { signal: leaving.signal });
  } finally {
    lines.close();
  }
}

function summarise(screen: Screen, { passed, failed, skipped }: Tally, ms: number): void {
  screen.heading('That was the tour');
  const left = skipped > 0 ? `, ${skipped} left out` : '';
  screen.check(failed === 0, `${passed} checks passed, ${failed} failed${left}, in ${inWords(ms)}.`);
}

async function stay({ web, service, screen, signal }: Stage): Promise<void> {
  screen.text('Both keep running until you press Ctrl-C. The examples of README.md and docs/use/start.md work now:');
  screen.command(`export KEY=${service.key}`);
  screen.table([
    ['the small web', `${web.url}/`],
    ['the service', service.url],
    ['its manual', `${service.url}/docs/use/start.md`],
  ]);
  await new Promise((resolve) => {
    // The listener alone does not keep the process alive; the web server does.
    signal.addEventListener('abort', resolve, { once: true });
    if (signal.aborted) resolve(undefined);
  });
}
