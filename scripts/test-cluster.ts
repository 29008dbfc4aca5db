// `npm run test:cluster`: everything that needs the engines. Conformance suites on PostgreSQL, OpenSearch and S3, the wire tests of
// jobs, search and scrape against several processes, and chaos. Not part of `npm test`: it takes long and installs the engines.
// `npm run test:cluster -- conformance postgres` runs the files of a part whose path contains a word.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chaos } from '../test/cluster/chaos.ts';
import { MissingEngine, type RunningEngine } from './engines/engine.ts';
import { startOpenSearch } from './engines/opensearch.ts';
import { startPostgres } from './engines/postgres.ts';
import { startSeaweedFs } from './engines/seaweedfs.ts';

const PARTS = ['conformance', 'wire', 'chaos'] as const;
type Part = (typeof PARTS)[number];

const CONFORMANCE = [
  'test/conformance/',
  'test/unit/store/postgres/',
  'test/unit/store/blobs/s3/',
  'test/unit/store/tools/migrate/',
  'test/unit/compose/commands/doctor/',
  'test/unit/index/opensearch/',
  'test/property/index-search',
];
const WIRE = [
  'several-processes',
  'browser-processes',
  'database-outage',
  'index-outage',
  'crawl',
  'batch',
  'job-',
  'jobs-',
  'recrawl',
  'webhooks',
  // Not those about providers, whose answers and failures each process remembers for itself, nor about the manual.
  'search-answer',
  'search-async',
  'search-conditions',
  'search-feedback',
  'search-indexing',
  'search-operators',
  'search-request',
  'search-restart',
  'search-sdk',
  'scrape-',
  'cache',
  'parse-uploads',
].map((name) => `test/wire/${name}`);
const PROCESSES = 2;
/** Files at once. Each has processes of its own beside the engines. */
const JOBS = Math.max(1, Math.floor(availableParallelism() / 2));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '60' },
    pages: { type: 'string', default: '5000' },
    nodes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
/** Only files with one of these in their path are run. */
const words = positionals.filter((word) => !(PARTS as readonly string[]).includes(word));
const named = PARTS.filter((part) => positionals.includes(part));
const wanted = (named.length === 0 ? PARTS : named).filter((part) => words.length === 0 || filesOf(part).length > 0);
if (wanted.length === 0) {
  console.error(`There is no such part, and no such file in a part. Parts: ${PARTS.join(', ')}.`);
  process.exit(2);
}

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const failed: Part[] = [];
for (const part of wanted) {
  console.log(`\n${part}`);
  if (!(await run(part))) failed.push(part);
}
console.log(failed.length === 0 ? '\nAll parts passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function run(part: Part): Promise<boolean> {
  if (part !== 'chaos') return withEngines((env) => runTests(part, env));
  const seed = Number(values.seed);
  console.log(`seed ${seed}; repeat with --seed ${seed}`);
  const problems = await chaos({
    kills: Number(values.kills),
    pages: Number(values.pages),
    searchNodes: Number(values.nodes),
    seed,
    say: (line) => console.log(`  ${line}`),
  });
  for (const problem of problems) console.log(`✖ ${problem}`);
  return problems.length === 0;
}

async function withEngines(work: (env: Record<string, string>) => Promise<boolean>): Promise<boolean> {
  const stops: (() => Promise<void>)[] = [];
  const env: Record<string, string> = {};
  const start = async (name: string, open: () => Promise<RunningEngine>) => {
    try {
      const engine = await open();
      env[name] = engine.url;
      stops.push(engine.stop);
    } catch (error) {
      if (!(error instanceof MissingEngine)) throw error;
      console.log(`Left out: ${error.message}`);
    }
  };
  try {
    await start('TRAWL_TEST_POSTGRES', startPostgres);
    await start('TRAWL_TEST_OPENSEARCH', startOpenSearch);
    await start('TRAWL_TEST_S3', startSeaweedFs);
    return await work(env);
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Chaos has no files. */
function filesOf(part: Part): string[] {
  const starts = { conformance: CONFORMANCE, wire: WIRE, chaos: [] }[part];
  return globSync('test/**/*.test.ts', { cwd: join(import.meta.dirname, '..') }).filter(
    (file) =>
      starts.some((start) => file.startsWith(start)) &&
      (words.length === 0 || words.some((word) => file.includes(word))),
  );
}

async function runTests(part: Part, env: Record<string, string>): Promise<boolean> {
  const onEngines = part === 'wire' ? { TRAWL_TEST_ENGINES: '1', TRAWL_TEST_PROCESSES: String(PROCESSES) } : {};
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test.ts'), `--jobs=${JOBS}`, ...filesOf(part)], {
    stdio: 'inherit',
    env: { ...process.env, ...env, ...onEngines },
  });
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  const [code] = await once(child, 'exit');
  process.off('exit', endWithUs);
  return code === 0;
}
