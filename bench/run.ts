// `npm run bench -- NAME [FOLDER] [options]`: runs one bench, prints a table and writes bench/results/NAME.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agent } from './agent/agent.ts';
import { answer } from './answer/answer.ts';
import { answers } from './answers/answers.ts';
import { browser } from './browser/browser.ts';
import { cached } from './cached.ts';
import { clients } from './clients/clients.ts';
import { cluster } from './cluster/cluster.ts';
import { commonmark } from './commonmark.ts';
import { crawl } from './crawl/crawl.ts';
import { programs } from './crawl/programs.ts';
import { documents } from './documents/documents.ts';
import { exportJobs } from './export.ts';
import { extract } from './extract/extract.ts';
import { hostile } from './hostile/hostile.ts';
import { index } from './index/index.ts';
import { languages } from './languages/languages.ts';
import { map } from './map.ts';
import { mcp } from './mcp/mcp.ts';
import { noise } from './monitor/noise.ts';
import { ocr } from './ocr.ts';
import { overload } from './overload.ts';
import { pii } from './pii/pii.ts';
import { policy } from './policy/policy.ts';
import { replay } from './replay/replay.ts';
import { type BenchOptions, RESULTS, type Row, table } from './report.ts';
import { scrape } from './scrape.ts';
import { search } from './search/search.ts';
import { start } from './start.ts';
import { structure } from './structure/structure.ts';
import { teams } from './teams/teams.ts';
import { transform } from './transform/transform.ts';
import { understand } from './understand/understand.ts';
import { walls } from './walls/walls.ts';

const BENCHES: Record<string, (options: BenchOptions) => Promise<Row[]>> = {
  start,
  cached,
  scrape,
  overload,
  hostile,
  answer,
  answers,
  transform,
  commonmark,
  structure,
  extract,
  crawl,
  programs,
  replay,
  export: exportJobs,
  map,
  index,
  search,
  languages,
  clients,
  mcp,
  browser,
  ocr,
  documents,
  walls,
  understand,
  pii,
  agent,
  noise,
  policy,
  teams,
  cluster,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    concurrency: { type: 'string', default: '16' },
    every: { type: 'string' },
    only: { type: 'string' },
    engine: { type: 'string' },
    against: { type: 'string' },
    'show-held-out': { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    'peer-count': { type: 'string' },
    scale: { type: 'string', default: '1' },
  },
});
const [name = '', folder] = positionals;
const bench = BENCHES[name];

if (bench) {
  const options = {
    folder,
    count: parseNumber(values.count),
    concurrency: Number(values.concurrency),
    every: parseNumber(values.every),
    only: values.only,
    engine: values.engine,
    against: values.against,
    peers: !values['no-peers'],
    peerCount: parseNumber(values['peer-count']),
    scale: Number(values.scale),
    showHeldOut: values['show-held-out'],
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
    `Usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')} [FOLDER] [--count N] [--concurrency N] [--every N] [--only NAME] [--engine opensearch] [--against CHECKOUT] [--no-peers] [--peer-count N] [--scale N] [--show-held-out]`,
  );
  process.exitCode = 1;
}

function parseNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}
