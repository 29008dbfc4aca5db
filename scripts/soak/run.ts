// `npm run soak -- NAME [options]`: tests that take too long for `npm test`. Exits with 1 if one fails.
import { parseArgs } from 'node:util';
import { browser } from './browser.ts';
import { chaos } from './chaos/chaos.ts';
import { fuzz } from './fuzz.ts';
import { kill } from './kill/kill.ts';
import { memory } from './memory.ts';
import { packaged } from './package/package.ts';
import type { SoakOptions } from './soak-options.ts';

/** Each returns its problems, as sentences. */
const SOAKS: Record<string, (options: SoakOptions) => Promise<string[]>> = {
  kill,
  browser,
  chaos,
  fuzz,
  memory,
  package: packaged,
};

// Calls `exit`, whose handlers end the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
});
const soak = SOAKS[positionals[0] ?? ''];

if (soak) {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`Seed ${seed}`);
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const problems = await soak({ count: numberOf(values.count), minutes: numberOf(values.minutes), seed });
  for (const problem of problems) console.log(`✖ ${problem}`);
  console.log(problems.length === 0 ? '\nNo problems found.' : `\nProblems: ${problems.length} (seed ${seed})`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  console.error(`Usage: npm run soak -- ${Object.keys(SOAKS).join(' | ')} [--count N] [--minutes N] [--seed N]`);
  process.exitCode = 1;
}
