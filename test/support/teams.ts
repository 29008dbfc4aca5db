// Further teams of a running service, each with a key of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { storeSettings } from './engines.ts';
import { MAIN, PROGRAM_ENV } from './program.ts';
import type { Answer, RunningService } from './service.ts';

/** The same service as another team sees it. */
export async function asTeam(service: RunningService, team: string): Promise<RunningService> {
  const env = { ...PROGRAM_ENV, ...(await storeSettings(service.dataDir)) };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'keys', 'add', '--team', team], { env });
  const key = /fc-\S+/.exec(stdout)![0];
  const authorization = `Bearer ${key}`;
  const call: RunningService['fetch'] = (path, init = {}) =>
    service.fetch(path, { ...init, headers: { ...init.headers, authorization } });
  const post = async <T>(path: string, body: unknown): Promise<Answer<T>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return { ...service, key, fetch: call, post, scrape: (body) => post('/v2/scrape', body) };
}
