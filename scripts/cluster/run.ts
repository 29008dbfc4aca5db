// `npm run cluster`: several Trawls with PostgreSQL, OpenSearch and SeaweedFS on this machine, and a crawl through all of them.
// Ctrl-C stops everything and removes it.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type HostRules, startWatchedSite } from '../../test/cluster/watched-site.ts';
import { crawl } from './crawl.ts';
import { ENGINES, startEngines } from './engines.ts';
import { startTrawls, type Trawl } from './trawls.ts';

const USAGE = `npm run cluster -- [--trawls N] [--nodes 1|3] [--without ENGINE] [--pages N] [--kill] [--once] [--keep]

  --trawls N  how many Trawls (3)
  --nodes N   nodes of OpenSearch: 1 or 3 (1)
  --without X leave an engine out: ${ENGINES.join(', ')}
  --pages N   pages of each crawl (150)
  --kill      kill one Trawl in the middle of the crawls, and start it again
  --once      end after the crawls instead of waiting for Ctrl-C
  --keep      leave the folder with the data and the logs on disk`;

const HOSTS = 6;
const INTERRUPTED = 130;
/** Empties the current line of a terminal. */
const CLEAR = '\r\x1b[2K';

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leaving.abort(signal));

process.exitCode = await main();

interface Options {
  trawls: number;
  nodes: number;
  pages: number;
  without: readonly string[];
  kill: boolean;
  once: boolean;
  keep: boolean;
}

function readOptions(): Options | undefined {
  try {
    const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      options: {
        ...{ trawls: text('3'), nodes: text('1'), pages: text('150'), kill: flag, once: flag, keep: flag },
        without: { type: 'string', multiple: true, default: [] },
      },
    });
    const { trawls, nodes, pages, ...others } = values;
    const unknown = others.without.find((name) => !ENGINES.includes(name));
    if (unknown !== undefined) throw new Error(`There is no engine "${unknown}".`);
    const isCount = (value: string, most: number) => /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most;
    if (!isCount(trawls, 20)) throw new Error('--trawls must be from 1 to 20.');
    if (nodes !== '1' && nodes !== '3') throw new Error('--nodes must be 1 or 3.');
    if (!isCount(pages, 100_000)) throw new Error('--pages must be from 1 to 100000.');
    return { trawls: Number(trawls), nodes: Number(nodes), pages: Number(pages), ...others };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) return 1;
  const folder = mkdtempSync(join(tmpdir(), 'trawl-cluster-'));
  // PostgreSQL refuses to run as root, and its other user has to get to its folder.
  chmodSync(folder, 0o711);
  const stops: (() => Promise<unknown>)[] = [];
  let problems: string[] = [];
  try {
    problems = await show(options, folder, stops);
  } catch (error) {
    if (!leaving.signal.aborted) problems = [(error as Error).message];
  } finally {
    say('Stopping ...');
    for (const stop of stops.reverse()) await stop();
    if (!options.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    say(
      options.keep
        ? `Everything has stopped. Data and logs are in ${folder}.`
        : 'Everything has stopped and is removed.',
    );
  }
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length > 0) return 1;
  return leaving.signal.aborted && options.once ? INTERRUPTED : 0;
}

/** Returns what went wrong. `stops` grows with everything that is started. */
async function show(options: Options, folder: string, stops: (() => Promise<unknown>)[]): Promise<string[]> {
  const { signal } = leaving;
  const engines = await startEngines({ folder, searchNodes: options.nodes, without: options.without, say, signal });
  stops.push(engines.stop);
  const names = Array.from({ length: HOSTS }, (_, index) => `h${index}.test`);
  const rules: [string, HostRules][] = names.map((name) => [name, { pages: options.pages }]);
  const site = await startWatchedSite(Object.fromEntries(rules));
  stops.push(site.stop);

  const key = `fc-${randomBytes(16).toString('hex')}`;
  const secret = { TRAWL_SECRET: randomBytes(32).toString('hex') };
  const settings = { ...site.settings, ...engines.settings, ...(engines.isShared && secret) };
  const count = engines.isShared ? options.trawls : 1;
  say(`Starting ${count === 1 ? 'one Trawl' : `${count} Trawls`} ...`);
  const made: Trawl[] = [];
  stops.push(() => Promise.all(made.map(({ service }) => service.stop())));
  process.once('exit', () => made.map(({ service }) => service.killNow()));
  const trawls = await startTrawls({ folder, count, key, settings, signal }, (trawl) => made.push(trawl));
  printAddresses(engines.running, trawls, key);

  const problems = await crawl({
    ...{ trawls, key, site, signal, say, progress: createProgress() },
    ...{ hosts: names, pages: options.pages, kills: options.kill && trawls.length > 1 },
  });
  if (problems.length === 0)
    say('Every crawl is complete, its pages are found through each Trawl, and no host got too many requests.');
  if (options.once) return problems;
  for (const problem of problems) console.error(`✗ ${problem}`);
  say('Everything goes on until Ctrl-C. Kill any process by its number and watch the others.');
  if (!signal.aborted) await once(signal, 'abort');
  return [];
}

function printAddresses(engines: { name: string; url: string; pid: number }[], trawls: readonly Trawl[], key: string) {
  const rows = [
    ...trawls.map(({ name, service, logFile }) => [name, service.url, `process ${service.pid()}, log ${logFile}`]),
    ...engines.map(({ name, url, pid }) => [name, url, `process ${pid}`]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  say('');
  for (const [name, url, remark] of rows) say(`  ${name!.padEnd(widths[0]!)}  ${url!.padEnd(widths[1]!)}  ${remark}`);
  say(`  key${' '.repeat(Math.max(0, widths[0]! - 3))}  ${key}\n`);
}

function say(line: string): void {
  console.log(process.stdout.isTTY ? CLEAR + line : line);
}

/** On a terminal one line that changes, else a line now and then. */
function createProgress(): (line: string) => void {
  const EVERY_MS = 5_000;
  let shownAt = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (process.stdout.isTTY) process.stdout.write(CLEAR + line);
    else if (performance.now() - shownAt >= EVERY_MS) {
      shownAt = performance.now();
      console.log(line);
    }
  };
}
