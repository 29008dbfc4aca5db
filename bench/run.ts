// `npm run bench -- NAME [options]`: runs one measurement, prints it as a table and writes it to bench/results/NAME.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cached } from './cached.ts';
import { type BenchOptions, type Row, table } from './report.ts';
import { scrape } from './scrape.ts';
import { start } from './start.ts';

const BENCHES: Record<string, (options: BenchOptions) => Promise<Row[]>> = { start, cached, scrape };
const RESULTS = join(import.meta.dirname, 'results');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    concurrency: { type: 'string', default: '16' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const [name = ''] = positionals;
const bench = BENCHES[name];

if (bench) {
  const options = {
    count: values.count === undefined ? undefined : Number(values.count),
    concurrency: Number(values.concurrency),
    peer: !values['no-peer'],
  };
  const rows = await bench(options);
  console.log(`\n${table(rows)}`);
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `${name}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ name, at: new Date().toISOString(), machine: machine(), options, rows }, null, 2)}\n`,
  );
  console.log(`\nWritten to bench/results/${name}.json`);
} else {
  console.error(
    `Usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [--count N] [--concurrency N] [--no-peer]`,
  );
  process.exitCode = 1;
}

function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}
