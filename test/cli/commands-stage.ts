// A user with a running service and a small site, for tests of commands.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Ended, runTrawl } from '../support/run-trawl.ts';
import { runTrawlHere } from '../support/run-trawl-here.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const ESCAPES = '\u001b]0;title of the attacker\u0007\u001b[2J\u009b31m';
const LONG = 'These words fill the page so that no pipe can hold it. '.repeat(20_000);

const SITE: Site = {
  '/': (exchange) => send(exchange, page('Home', '<p>Welcome to the harbour.</p><a href="/about">About</a>')),
  '/about': (exchange) => send(exchange, page('About', '<p>About the harbour.</p><a href="/">Home</a>')),
  '/hostile': (exchange) => send(exchange, page('Hostile', `<p>Before ${ESCAPES} after.</p>`)),
  '/long': (exchange) => send(exchange, page('Long', `<p>${LONG}</p>`)),
  '/gone': (exchange) => send(exchange, page('Gone', '<p>It is gone.</p>'), { status: 404 }),
  // Never answers.
  '/stuck': () => {},
  '/crawl/*': (exchange) => {
    const links = Array.from({ length: 50 }, (_, number) => `<a href="/crawl/${number}">${number}</a>`);
    setTimeout(() => send(exchange, page(exchange.tail, links.join(' '))), 200).unref();
  },
};

export interface CommandsStage {
  web: Web;
  service: RunningProgram;
  /** The home of the user. */
  folder: string;
  url(path: string): string;
  newFolder(): string;
  /** Settings of a user whose service runs; with `dataDir` of another user. */
  settingsOf(dataDir?: string): Record<string, string>;
  /** In a process of its own, as the user starts it. */
  trawl(...args: string[]): Promise<Ended>;
  /** In the process of the test, by a user who has set the address and the key. */
  trawlHere(...args: string[]): Promise<Ended>;
}

/** The web and the service are there before the first test. */
export function useCommands(): CommandsStage {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
  let folders = 0;
  const settingsOf = (dataDir = stage.service.dataDir) => ({
    ...stage.web.settings,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TRAWL_DATA_DIR: dataDir,
  });
  const stage: CommandsStage = Object.assign({} as Pick<CommandsStage, 'web' | 'service'>, {
    folder,
    url: (path: string) => stage.web.url('cli.test', path),
    newFolder: () => join(folder, `${++folders}`),
    settingsOf,
    trawl: (...args: string[]) => runTrawl(args, { env: settingsOf() }),
    trawlHere: (...args: string[]) => runTrawlHere(args, stage.service),
  });
  before(async () => {
    stage.web = await startWeb({ 'cli.test': SITE });
    stage.service = await startServiceWith(stage.web, { TRAWL_INDEX_MANUAL: 'on' });
  });
  after(async () => {
    await stage.service?.stop();
    await stage.web?.stop();
    rmSync(folder, { recursive: true });
  });
  return stage;
}

export function assertOneSentence({ err }: Ended): void {
  assert.equal(err.trimEnd().split('\n').length, 1, err);
  assert.doesNotMatch(err, /\bat .*\.ts:\d+/);
}
