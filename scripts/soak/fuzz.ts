// Sends random requests, valid and wrong, to every route: no unexpected error, no answer outside the contract, no hang. Most of
// them go to a service without a browser, which is fast; the last ones to a service with one, which may also run code.
import { type FuzzOptions, type FuzzResult, runFuzz } from '../../test/support/fuzz/fuzz-run.ts';
import { startFuzzScene } from '../../test/support/fuzz/fuzz-scene.ts';
import type { SoakOptions } from './soak-options.ts';

const REQUESTS = 20_000;
const WITH_BROWSER = 500;
const PARALLEL = 16;
const HANG_MS = 120_000;
const MAX_RSS_MB = 1_000;

export async function fuzz({ count = REQUESTS, seed }: SoakOptions): Promise<string[]> {
  const withBrowser = Math.min(WITH_BROWSER, Math.ceil(count / 20));
  const plain = await fuzzOne('Without a browser', {}, { requests: count, seed, parallel: PARALLEL });
  const browserSettings = { TRAWL_BROWSER: 'auto', TRAWL_BROWSER_EXECUTE: 'on', TRAWL_MAX_SESSIONS: '2' };
  const browser = await fuzzOne('With a browser', browserSettings, {
    requests: withBrowser,
    seed,
    parallel: 4,
    routes: /browser|interact|^(?:get)?scrape$/i,
  });
  return [...plain, ...browser];
}

async function fuzzOne(
  what: string,
  settings: Record<string, string>,
  options: Pick<FuzzOptions, 'requests' | 'seed' | 'parallel' | 'routes'>,
): Promise<string[]> {
  const scene = await startFuzzScene(settings);
  try {
    const result = await runFuzz(scene.service, scene.web, { ...options, hangMs: HANG_MS });
    console.log(`\n${what}: ${options.requests} requests, at most ${result.maxRssMb} MB of memory`);
    showAnswers(result);
    const loud = scene.service
      .output()
      .stderr.split('\n')
      .filter((line) => /"level":(?:50|60)/.test(line));
    return [
      ...result.problems,
      ...(result.maxRssMb > MAX_RSS_MB ? [`The service took ${result.maxRssMb} MB of memory.`] : []),
      ...loud.map((line) => `The log has an error: ${line.slice(0, 1_500)}`),
    ];
  } finally {
    await scene.stop();
  }
}

function showAnswers({ answers }: FuzzResult): void {
  for (const [route, counts] of [...answers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const total = [...counts.values()].reduce((sum, times) => sum + times, 0);
    const list = [...counts].sort(([, a], [, b]) => b - a).map(([label, times]) => `${label.trim()} × ${times}`);
    console.log(`${route.padEnd(27)} ${String(total).padStart(6)}  ${list.join(', ')}`);
  }
}
