// Services that test files in one process share, one for each set of settings. Every file is a new team with its own key, and
// its small web has ports of its own, so it sees nothing of what other files did unless it looks at the whole service.
import { type DnsServer, startDns } from './dns.ts';
import type { Answer, RunningService } from './service.ts';
import { startServiceHere } from './service-here.ts';
import type { Site } from './web/reply.ts';
import { startWeb, type Web } from './web.ts';
import { atWorkerEnd } from './worker-end.ts';

type Settings = Record<string, string>;

/** Running services at most; each takes memory. The one that was used longest ago is stopped. */
const MAX_SERVICES = 3;
const services = new Map<string, Promise<RunningService>>();
let dns: Promise<DnsServer> | undefined;
let teams = 0;
atWorkerEnd(stopAll);

/** A small web that the shared services reach, with further sites. Its DNS server is shared, too. */
export async function startSharedWeb(extra: Record<string, Site> = {}): Promise<Web> {
  if (!dns) {
    dns = startDns({ '*.test': ['127.0.0.1'] });
    atWorkerEnd(async () => (await dns)?.stop());
  }
  return startWeb(extra, await dns);
}

export interface JoinedService extends RunningService {
  /** The name of the team. */
  team: string;
}

/** A service with these settings, as a new team of it sees it. */
export async function joinService(web: Web, settings: Settings): Promise<JoinedService> {
  const service = await serviceWith({ ...web.settings, ...settings });
  teams += 1;
  return asNewTeam(service, `file-${teams}`);
}

/** A service with the operator's key, as a new team of it sees it. */
export async function asNewTeam(service: RunningService, name: string): Promise<JoinedService> {
  const { body: team } = await service.post<{ data: { id: string } }>('/v2/teams', { name, plan: 'unlimited' });
  const { body: made } = await service.post<{ data: { key: string } }>(`/v2/teams/${team.data.id}/keys`, {});
  return { ...asKey(service, made.data.key), team: name };
}

async function serviceWith(settings: Settings): Promise<RunningService> {
  const name = JSON.stringify(Object.entries(settings).sort());
  const known = services.get(name);
  services.delete(name);
  if (services.size >= MAX_SERVICES) await stopOldest();
  const service = known ?? startServiceHere(settings);
  services.set(name, service);
  return service;
}

async function stopOldest(): Promise<void> {
  const [name, service] = services.entries().next().value!;
  services.delete(name);
  await (await service).stop();
}

async function stopAll(): Promise<void> {
  while (services.size > 0) await stopOldest();
}

/** The same service for somebody with another key. It is not theirs to stop. */
function asKey(service: RunningService, key: string): RunningService {
  const call: RunningService['fetch'] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    return service.fetch(path, { ...init, headers });
  };
  const post = async <T>(path: string, body: unknown): Promise<Answer<T>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return { ...service, key, fetch: call, post, scrape: (body) => post('/v2/scrape', body), stop: async () => null };
}
