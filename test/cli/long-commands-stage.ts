// Sites and a service for tests of commands that take long.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Ended, type Started, startTrawl } from '../support/run-trawl.ts';
import { runTrawlHere } from '../support/run-trawl-here.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { page, reset, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const KEY = 'fc-long-commands-test';
export const PARTLY = 4;
export const INTERRUPTED = 130;
export const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Pages of a site wait here until they are released, and fail while they are listed. */
export const held = new Map<string, PromiseWithResolvers<void>>();
export const broken = new Set<string>();
const FILLER = `<p>${'The shop sells tools for gardens of every size, all year round. '.repeat(5)}</p>`;

function siteOf(host: string, pages: number): Site {
  const links = Array.from({ length: pages - 1 }, (_, index) => `<a href="/p/${index + 1}">Page ${index + 1}</a>`);
  return {
    '/': (exchange) => send(exchange, page(`Start of ${host}`, `${FILLER}${links.join(' ')}`)),
    '/p/*': async (exchange) => {
      if (Number(exchange.tail) > 3) await held.get(host)?.promise;
      if (broken.has(`${host}${exchange.path}`)) reset(exchange);
      else send(exchange, page(`Page ${exchange.tail}`, `${FILLER}<p>Price: $${exchange.tail}.00</p>`));
    },
  };
}

const HOSTS = {
  'folder.test': 12,
  'printed.test': 4,
  'control.test': 12,
  'left.test': 12,
  'embedded.test': 12,
  'list.test': 6,
};

export interface LongCommandsStage {
  web: Web;
  service: RunningProgram;
  folder: string;
  /** Settings of the service. */
  settings: Record<string, string>;
  /** In a process of its own. */
  start(args: readonly string[], input?: string | Uint8Array): Started;
  /** In the process of the test. */
  trawl(...args: string[]): Promise<Ended>;
  /** Fails with what the command said. */
  succeed(...args: string[]): Promise<Ended>;
}

/** The web and the service are there before the first test. */
export function useLongCommands(more: Record<string, string> = {}): LongCommandsStage {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
  const trawl = (...args: string[]) => runTrawlHere(args, { url: stage.service.url, key: KEY });
  const stage: LongCommandsStage = Object.assign({} as Pick<LongCommandsStage, 'web' | 'service'>, {
    folder,
    settings: { TRAWL_API_KEY: KEY, TRAWL_DATA_DIR: join(folder, 'data'), ...more },
    start: (args: readonly string[], input?: string | Uint8Array) =>
      startTrawl(args, {
        env: { TRAWL_URL: stage.service.url, TRAWL_API_KEY: KEY, HOME: folder },
        ...(input !== undefined && { input }),
      }),
    trawl,
    async succeed(...args: string[]) {
      const ended = await trawl(...args);
      assert.equal(ended.code, 0, `trawl ${args.join(' ')}: ${ended.err}${ended.out}`);
      return ended;
    },
  });
  before(async () => {
    const sites = Object.entries(HOSTS).map(([host, pages]) => [host, siteOf(host, pages)]);
    stage.web = await startWeb(Object.fromEntries(sites));
    stage.service = await startServiceWith(stage.web, stage.settings);
  });
  after(async () => {
    for (const { resolve } of held.values()) resolve();
    await stage.service?.stop();
    await stage.web?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return stage;
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
export const markdownIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.md'));
