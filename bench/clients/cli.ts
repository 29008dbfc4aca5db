// The public command line, as its users type it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installNpm } from '../install.ts';
import { addresses, type Case, type Client, clientFolder, expect, type Scene, UPLOAD_HTML } from './client.ts';

const VERSION = '1.23.3';
const LONGEST_MS = 60_000;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

type Run = (args: string[], key?: string) => Promise<Ended>;

export const cli: Client = {
  name: 'CLI',
  version: VERSION,
  async open(scene) {
    const program = join(
      installNpm(clientFolder('firecrawl-cli'), { 'firecrawl-cli': VERSION }),
      'firecrawl-cli/dist/index.js',
    );
    const run = runIn(program, scene);
    writeFileSync(join(scene.home, 'note.html'), UPLOAD_HTML);
    return { cases: [...pages(run, scene), ...jobs(run, scene), ...browsers(run, scene), ...later(run, scene)] };
  },
};

/** Runs the program with the service as its API and a home folder of its own. */
function runIn(program: string, { service, home }: Scene): Run {
  return (args, key = service.key) =>
    new Promise((resolve) => {
      const { PATH, TMPDIR } = process.env;
      const env = {
        PATH,
        TMPDIR,
        HOME: home,
        FIRECRAWL_API_URL: service.url,
        FIRECRAWL_API_KEY: key,
        FIRECRAWL_NO_TELEMETRY: '1',
        FIRECRAWL_NO_UPDATE_CHECK: '1',
      };
      const options = { env, cwd: home, timeout: LONGEST_MS, maxBuffer: 50_000_000 };
      const child = execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
}

const prints = (run: Run, name: string, wanted: RegExp, args: string[], skip?: string): Case => ({
  name,
  skip,
  async run() {
    const { code, stdout, stderr } = await run(args);
    if (code !== 0) throw new Error(firstLine(stderr || stdout) || `exit code ${code}`);
    expect(wanted.test(stdout), `output like ${wanted}`, stdout || stderr);
  },
});

const fails = (run: Run, name: string, wanted: RegExp, args: string[], key?: string): Case => ({
  name,
  async run() {
    const { code, stderr } = await run(args, key);
    expect(code !== 0 && wanted.test(stderr), `an error like ${wanted}`, [code, stderr]);
  },
});

const firstLine = (text: string) => text.split('\n').find((line) => /error/i.test(line)) ?? text.trim().split('\n')[0];

function pages(run: Run, { web, noBrowser }: Scene): Case[] {
  const { page, missing, mapped } = addresses(web);
  return [
    prints(run, 'scrape: markdown', /First point/, ['scrape', page]),
    prints(run, 'scrape: markdown, html, links', /"links"/, ['scrape', page, '-f', 'markdown,html,links']),
    prints(run, 'scrape: screenshot', /\.png|http/, ['scrape', page, '--screenshot'], noBrowser),
    prints(run, 'scrape: page with status 404', /404/, ['scrape', missing, '--json']),
    fails(run, 'error: wrong key', /401|unauthorized/i, ['scrape', page], 'fc-wrong'),
    fails(run, 'error: bad URL', /url/i, ['scrape', 'http://']),
    prints(run, 'map', /mapped\.test/, ['map', mapped]),
    prints(run, 'search', /north\.test/, ['search', 'brass kettle']),
    prints(run, 'search: scrapeOptions', /The last paragraph/, [
      ...['search', 'invar pendulum', '--limit', '1'],
      ...['--scrape', '--scrape-formats', 'markdown', '--json'],
    ]),
    prints(run, 'parse: upload', /# Upload/, ['parse', 'note.html']),
    prints(run, 'credit usage', /\d/, ['credit-usage', '--json']),
    prints(run, 'status', /\d/, ['--status']),
  ];
}

function jobs(run: Run, { web }: Scene): Case[] {
  const { site } = addresses(web);
  return [
    prints(run, 'crawl: waiter', /"completed"/, [
      ...['crawl', site, '--limit', '3'],
      ...['--wait', '--poll-interval', '1', '--timeout', '50'],
    ]),
    {
      name: 'crawl: start, status, cancel',
      async run() {
        const url = web.url('fault.test', '/stalled-headers');
        const { stdout } = await run(['crawl', url]);
        const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout)?.[0];
        expect(id !== undefined, 'a job id', stdout);
        const status = await run(['crawl', id!, '--status']);
        expect(/scraping/.test(status.stdout), 'the status', status);
        const cancelled = await run(['crawl', id!, '--cancel']);
        expect(cancelled.code === 0, 'a cancelled crawl', cancelled);
      },
    },
    {
      name: 'several pages at once',
      async run() {
        const { code, stderr } = await run(['scrape', ...addresses(web).articles]);
        expect(code === 0 && (stderr.match(/Saved: /g) ?? []).length === 3, 'three saved pages', stderr);
      },
    },
  ];
}

function browsers(run: Run, { web, noBrowser, noSandbox }: Scene): Case[] {
  const skip = noBrowser ?? noSandbox;
  const { counter } = addresses(web);
  return [
    {
      name: 'interact: code',
      skip,
      async run() {
        const { stdout } = await run(['scrape', counter, '--json', '--max-age', '0']);
        const id = /"scrapeId":\s*"([^"]+)"/.exec(stdout)?.[1];
        expect(id !== undefined, 'a scrape id', stdout);
        const code = ['interact', '-s', id!, '-c', 'page.url()', '--node', '--timeout', '60'];
        await prints(run, '', /counter\.test/, code).run();
        await prints(run, '', /./, ['interact', 'stop', id!]).run();
      },
    },
    {
      name: 'browser: open, list, close',
      skip: noBrowser,
      async run() {
        await prints(run, '', /./, ['browser', 'launch-session']).run();
        await prints(run, '', /active/, ['browser', 'list', 'active']).run();
        await prints(run, '', /./, ['browser', 'close']).run();
      },
    },
    {
      name: 'browser: execute',
      skip,
      async run() {
        await prints(run, '', /./, ['browser', 'launch-session']).run();
        await prints(run, '', /about:blank/, ['browser', 'execute', '--node', 'page.url()']).run();
        await prints(run, '', /./, ['browser', 'close']).run();
      },
    },
  ];
}

/** Calls that go on by themselves, or that a language model makes better. */
function later(run: Run, { web }: Scene): Case[] {
  const { page } = addresses(web);
  const schema = JSON.stringify({ type: 'object', properties: { title: { type: 'string' } } });
  const find = ['agent', 'Find the title', '--urls', page, '--schema', schema];
  return [
    prints(run, 'scrape: json', /title/, ['scrape', page, '-f', 'json', '--schema', schema]),
    prints(run, 'scrape: summary', /./, ['scrape', page, '--summary']),
    prints(run, 'agent', /"title"/, [...find, '--wait', '--poll-interval', '1', '--timeout', '50', '--json']),
    {
      name: 'agent: start, status, cancel',
      async run() {
        const id = idIn(await printed(run, [...find, '--json']));
        await prints(run, '', /processing|completed/, ['agent', id, '--status', '--json']).run();
        // A run that has ended by now can be cancelled without harm.
        await prints(run, '', /./, ['agent', id, '--cancel']).run();
      },
    },
    prints(run, 'monitor: list', /./, ['monitor', 'list']),
    {
      name: 'monitor: create, get, pause, run, checks, delete',
      async run() {
        const id = idIn(await printed(run, ['monitor', 'create', ...MONITOR, '--page', page]));
        await prints(run, '', /30/, ['monitor', 'get', id]).run();
        const check = /"id":\s*"([^"]+)"/.exec(await printed(run, ['monitor', 'run', id]))?.[1];
        expect(check !== undefined, 'the id of a check', check);
        await endOf(run, ['monitor', 'check', id, check!], /"(?:completed|partial|failed)"/);
        await prints(run, '', /news\.test/, ['monitor', 'check', id, check!]).run();
        await prints(run, '', new RegExp(check!), ['monitor', 'checks', id]).run();
        await prints(run, '', /paused/, ['monitor', 'update', id, '--state', 'paused']).run();
        await prints(run, '', /./, ['monitor', 'delete', id]).run();
        expect((await run(['monitor', 'get', id])).code !== 0, 'no monitor any more');
      },
    },
  ];
}

const MONITOR = ['--name', 'News', '--goal', 'Tell me of news', '--schedule', 'every 30 minutes'];

async function printed(run: Run, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  if (code !== 0) throw new Error(firstLine(stderr || stdout) || `exit code ${code}`);
  return stdout;
}

function idIn(output: string): string {
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0];
  expect(id !== undefined, 'an id', output);
  return id!;
}

/** Repeats the command until it prints this. */
async function endOf(run: Run, args: string[], wanted: RegExp): Promise<void> {
  while (!wanted.test(await printed(run, args))) await sleep(500);
}
