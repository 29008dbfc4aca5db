// Further teams of a running service, each with a key of its own.
import type { Answer, RunningService } from './service.ts';
import { addTeams } from './team-with.ts';

/** The same service as another team sees it. */
export async function asTeam(service: RunningService, team: string): Promise<RunningService> {
  const [key] = (await addTeams(service.dataDir, [{ name: team }])) as [string];
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
