// The service in the test process: it costs a fraction of a program of its own, for tests that need settings of their own and
// neither kill the service nor look at what it prints.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config/settings.ts';
import { withAnswerChecks } from './answer-checks.ts';
import { usesEngines } from './engines.ts';
import { type Answer, type RunningService, startService } from './service.ts';
import type { Web } from './web.ts';

type Settings = Record<string, string>;

const { PATH = '', HOME = '' } = process.env;
const SETTINGS = {
  // Where browsers and other programs are looked for.
  PATH,
  HOME,
  TRAWL_PORT: '0',
  TRAWL_AUTH: 'required',
  TRAWL_LOG_LEVEL: 'error',
  TRAWL_INDEX_MANUAL: 'off',
  TRAWL_INSTALL_MODELS: 'off',
  // Its tests turn it on: how pages are ranked would depend on when they have got their vectors.
  TRAWL_SEMANTIC: 'off',
  TRAWL_KEYLESS_PROVIDERS: 'off',
  TRAWL_BROWSER: 'off',
};

/** With engines that several processes share, it is a program all the same. */
export const startServiceHere = (settings: Settings = {}): Promise<RunningService> =>
  usesEngines ? startService(settings) : startHere(settings);

export const startServiceHereWith = (web: Web, settings: Settings = {}): Promise<RunningService> =>
  startServiceHere({ ...web.settings, ...settings });

/** Read by Node or the system when a process starts. */
const OF_PROCESS = /^(NODE_|TMPDIR$|TZ$|LANG$|LC_)/;

async function startHere(settings: Settings): Promise<RunningService> {
  const name = Object.keys(settings).find((each) => OF_PROCESS.test(each));
  if (name !== undefined) throw new Error(`${name} has no effect on a service in this process: use startService.`);
  const ownFolder = settings.TRAWL_DATA_DIR === undefined;
  const dataDir = settings.TRAWL_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'trawl-data-')));
  const remove = async () => {
    if (ownFolder) await rm(dataDir, { recursive: true, force: true });
  };
  const all: Settings = { ...SETTINGS, ...settings, TRAWL_DATA_DIR: dataDir };
  const running = await withAnswerChecks(() => createService(readConfig(all))).catch(async (error) => {
    await remove();
    throw error;
  });
  const key = running.firstKey ?? settings.TRAWL_API_KEY ?? '';
  const call: RunningService['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (key !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return fetch(new URL(path, running.url), { ...init, headers });
  };
  const post = async <T>(path: string, body: unknown): Promise<Answer<T>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    url: running.url,
    key,
    dataDir,
    fetch: call,
    post,
    scrape: (body) => post('/v2/scrape', body),
    async stop() {
      await running.close();
      await remove();
      return 0;
    },
  };
}
