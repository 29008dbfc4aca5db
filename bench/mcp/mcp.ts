// What an MCP server costs: the size of its list of tools, which every conversation pays for, and the time of its calls.
// The public server, ours as a program, and ours within the service, all with the same service behind them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceWith } from '../../test/support/service.ts';
import { startWeb } from '../../test/support/web.ts';
import type { Scene } from '../clients/client.ts';
import { type McpServer, ownEndpoint, ownServer, publicServer } from '../clients/mcp/servers.ts';
import type { McpSession } from '../clients/mcp/session.ts';
import { NotInstalled } from '../install.ts';
import { cpuSeconds, residentMb } from '../measure.ts';
import { type BenchOptions, median, type Row } from '../report.ts';

const DEFAULT_COUNT = 100;
const WARM_UP = 10;
/** A rule of thumb for JSON in English; tokenisers differ by a tenth. */
const CHARACTERS_PER_TOKEN = 4;
const MS = 1_000;

const SERVERS: readonly (readonly [system: string, server: McpServer])[] = [
  ['public', publicServer],
  ['trawl mcp', ownServer],
  ['/mcp', ownEndpoint],
];

interface Subject {
  session: McpSession;
  /** The processes that work for a call: the server, if it is a program, and the service. */
  pids: number[];
  url: string;
}

export async function mcp({ count = DEFAULT_COUNT, only }: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  const home = await mkdtemp(join(tmpdir(), 'trawl-mcp-'));
  const web = await startWeb();
  const service = await startServiceWith(web, {}, { checkAnswers: false });
  try {
    for (const [system, server] of SERVERS) {
      if (only !== undefined && only !== system) continue;
      const url = web.url('news.test', '/article/1');
      rows.push(...(await measureServer(server, { service, home, url }, count)).map((row) => ({ ...row, system })));
    }
  } finally {
    await service.stop();
    await web.stop();
    await rm(home, { recursive: true, force: true });
  }
  return [...rows, ...ratios(rows)];
}

async function measureServer(
  server: McpServer,
  { service, home, url }: Pick<Scene, 'service' | 'home'> & { url: string },
  count: number,
): Promise<Row[]> {
  const began = performance.now();
  let session: McpSession;
  try {
    session = await server.start({ service, home }, service.key);
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error;
    console.log(`${server.name} is skipped, because it could not be installed: ${error.message}`);
    return [];
  }
  try {
    const tools = await session.tools();
    const started = performance.now() - began;
    const size = JSON.stringify(tools).length;
    const pids = [service.pid, ...(session.pid === undefined ? [] : [session.pid])];
    const subject = { session, pids, url };
    return [
      { measure: 'tools', value: tools.length, unit: 'tools' },
      { measure: 'tools/list', value: size, unit: 'characters' },
      { measure: 'tools/list, estimated', value: Math.round(size / CHARACTERS_PER_TOKEN), unit: 'tokens' },
      { measure: 'start to first list', value: started, unit: 'ms' },
      ...(await measureCalls('tools/list', subject, count, ({ session: { tools: list } }) => list())),
      ...(await measureCalls('scrape, cached', subject, count, scrapePage)),
      ...(session.pid === undefined
        ? []
        : [{ measure: 'memory of the program', value: residentMb(session.pid), unit: 'MB' }]),
    ];
  } finally {
    await session.stop();
  }
}

async function scrapePage({ session, url }: Subject): Promise<void> {
  const answer = await session.call('firecrawl_scrape', { url, formats: ['markdown'] });
  if (answer.isError) throw new Error(`The scrape failed: ${JSON.stringify(answer.content).slice(0, 300)}`);
}

/** One at a time: an assistant waits for each. */
async function measureCalls(
  name: string,
  subject: Subject,
  count: number,
  call: (subject: Subject) => Promise<unknown>,
): Promise<Row[]> {
  for (let n = 0; n < WARM_UP; n++) await call(subject);
  const cpu = () => subject.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const times: number[] = [];
  const before = cpu();
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await call(subject);
    times.push(performance.now() - began);
  }
  return [
    { measure: `${name}, median`, value: median(times), unit: 'ms' },
    { measure: `${name}, CPU`, value: ((cpu() - before) * MS) / count, unit: 'ms a call' },
  ];
}

/** How many times as much the public server needs. */
function ratios(rows: readonly Row[]): Row[] {
  return rows
    .filter(({ system, measure }) => system !== 'public' && measure !== 'tools')
    .flatMap(({ system, measure, value }) => {
      const other = rows.find((row) => row.system === 'public' && row.measure === measure);
      if (!other || value === 0) return [];
      return [{ measure: `public / ours: ${measure}`, value: other.value / value, unit: 'times', system: system! }];
    });
}
