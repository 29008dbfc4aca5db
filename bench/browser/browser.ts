// Rendering: the cost of a page built by scripts in the browser engine with all features on. The peer is playwright-core.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type BenchOptions, median, percentile, type Row } from '../report.ts';
import type { LoadRequest, Usage } from './browser-runner.ts';

const WARM_UP = 10;
const CONCURRENCY = 4;
const SCREENSHOTS = 10;
const LEAK_PAGES = 500;
const LEAK_STEPS = 5;

export async function browser({ count = 60, only, peers, every = LEAK_PAGES }: BenchOptions): Promise<Row[]> {
  const site = startProcess('rendered-site.ts', []);
  const [{ port, settings }] = (await once(site, 'message')) as [{ port: number; settings: unknown }];
  const names = ['trawl', 'playwright'].filter((name) => (only ? name === only : peers || name === 'trawl'));
  try {
    const rows: Row[] = [];
    for (const name of names) {
      rows.push(...(await measure(name, [String(port), JSON.stringify(settings)], count)));
      if (name === 'trawl' && every > 0)
        rows.push(...(await measureLeaks([String(port), JSON.stringify(settings)], every)));
    }
    const [ours, theirs] = names.map(
      (system) => rows.find((row) => row.system === system && row.measure === CPU)?.value,
    );
    if (ours && theirs)
      rows.push({
        measure: 'CPU time a page, times the peer',
        value: ours / theirs,
        unit: '',
        aim: '<= 1.3',
        system: 'trawl',
      });
    return rows;
  } finally {
    site.disconnect();
  }
}

const CPU = 'CPU time a page';

async function measure(system: string, web: string[], count: number): Promise<Row[]> {
  const { ask, stop } = await startRunner(system, web);
  const first = await ask({ what: 'read', count: 1, concurrency: 1 });
  await ask({ what: 'read', count: WARM_UP, concurrency: 1 });
  const single = await ask({ what: 'read', count: Math.ceil(count / 3), concurrency: 1 });
  const many = await ask({ what: 'read', count, concurrency: CONCURRENCY });
  const screenshots = await ask({ what: 'screenshot', count: SCREENSHOTS, concurrency: 1 });
  await stop();
  return [
    { measure: 'first page, including the browser start', value: first.times[0]!, unit: 'ms' },
    { measure: 'a page, one at a time (p50)', value: median(single.times), unit: 'ms' },
    { measure: 'a page, one at a time (p95)', value: percentile(single.times, 0.95), unit: 'ms' },
    { measure: `pages a second, ${CONCURRENCY} at a time`, value: count / many.seconds, unit: '/s' },
    { measure: 'pages a CPU-second', value: count / many.cpuSeconds, unit: '/s' },
    { measure: CPU, value: (many.cpuSeconds * 1000) / count, unit: 'ms' },
    { measure: 'memory of an open page', value: (many.peakMb - single.mb) / CONCURRENCY, unit: 'MB' },
    { measure: 'memory of program and browser between pages', value: many.mb, unit: 'MB' },
    {
      measure: 'a picture of the whole page adds (p50)',
      value: median(screenshots.times) - median(single.times),
      unit: 'ms',
    },
  ].map((row) => ({ ...row, system }));
}

async function measureLeaks(web: string[], pages: number): Promise<Row[]> {
  const { ask, stop } = await startRunner('trawl', web);
  const rows: Row[] = [];
  const step = Math.ceil(pages / LEAK_STEPS);
  for (let done = step; done <= pages; done += step) {
    const { residentMb, mb } = await ask({ what: 'read', count: step, concurrency: CONCURRENCY });
    rows.push(
      { measure: `memory of the program after ${done} pages`, value: residentMb, unit: 'MB', system: 'trawl' },
      { measure: `memory with the browser after ${done} pages`, value: mb, unit: 'MB', system: 'trawl' },
    );
  }
  await stop();
  return rows;
}

async function startRunner(name: string, web: string[]) {
  const child = startProcess('browser-runner.ts', [name, ...web]);
  await once(child, 'message');
  return {
    async ask(request: LoadRequest): Promise<Usage> {
      child.send(request);
      const [usage] = await Promise.race([once(child, 'message'), once(child, 'exit').then(failEarly)]);
      return usage as Usage;
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function failEarly(): never {
  throw new Error('The process ended before it answered.');
}

function startProcess(file: string, args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  process.once('exit', () => child.kill());
  return child;
}
