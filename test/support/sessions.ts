// Browser sessions on the small web, and a plain DevTools protocol client.
import type { TestContext } from 'node:test';
import type { MemoryWatch } from '../../src/fetch/browser/process/memory/memory-watch.ts';
import { spawnBrowser } from '../../src/fetch/browser/process/spawn.ts';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import { parseDnsServers } from '../../src/net/addresses/resolver.ts';
import { createEgress } from '../../src/net/egress.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createSessions, type SessionsDeps } from '../../src/sessions/create-sessions.ts';
import type { CdpChannel, NewSession } from '../../src/sessions/session.ts';
import { createOwnSessions } from '../../src/store/in-memory/one-process.ts';
import { systemClock } from '../../src/util/clock.ts';
import { EXECUTABLE, memoryWatch } from './browser/browser.ts';
import type { Web } from './web.ts';

export const WANTED: NewSession = {
  teamId: 'own',
  ttlMs: 60_000,
  activityTtlMs: 60_000,
  streamWebView: true,
  baseUrl: 'http://service.test',
};

/** For tests that do more in a session than a busy machine does in a minute. */
export const LASTING: NewSession = { ...WANTED, ttlMs: 600_000, activityTtlMs: 600_000 };

const absent = async () => {
  throw new Error('Profiles are not part of this test.');
};

export function startSessions(
  t: TestContext,
  web: Web,
  { memory = memoryWatch(), ...options }: Partial<SessionsDeps> & { memory?: MemoryWatch } = {},
) {
  const egress = createEgress({
    allow: parseAllowList(web.settings.TRAWL_ALLOW_NETWORKS!),
    dnsServers: parseDnsServers(web.settings.TRAWL_DNS!),
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 50 * 1024 * 1024,
    ownAddress: () => undefined,
  });
  const pids: number[] = [];
  const sessions = createSessions({
    unavailable: () => undefined,
    openProxyEntrance: async () => (await egress.openBrowserProxy()).openEntrance({ proxyClass: 'basic' }),
    async launch(proxyUrl) {
      const browser = spawnBrowser({ executable: EXECUTABLE!, sandbox: true, memory, proxyUrl });
      pids.push(browser.pid);
      return browser;
    },
    profiles: { read: async () => undefined, write: absent, remove: absent },
    profileLocks: { take: async () => ({ isHeld: async () => true, release() {} }) },
    trackState: absent,
    maxPerTeam: 5,
    places: createOwnSessions(),
    processId: 'own',
    onEnded: async () => {},
    clock: systemClock,
    log: createLog('silent'),
    ...options,
  });
  t.after(async () => {
    await sessions.close();
    await egress.close();
  });
  return { sessions, pids, egress };
}

interface Message {
  id?: number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions check the shape.
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  result?: any;
  error?: { code: number; message: string };
  sessionId?: string;
}

/** Sends commands and waits for their answers. */
export function speak(channel: CdpChannel) {
  const waiting = new Map<number, (message: Message) => void>();
  const events: Message[] = [];
  let lastId = 0;
  channel.onMessage((text) => {
    const message: Message = JSON.parse(text);
    if (message.id === undefined) events.push(message);
    else waiting.get(message.id)?.(message);
  });
  const ask = (method: string, params: object = {}, sessionId?: string): Promise<Message> =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      channel.send(JSON.stringify({ id: lastId, method, params, sessionId }));
    });
  /** Attaches to the first open page. */
  const attach = async (): Promise<string> => {
    const { result } = await ask('Target.getTargets');
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const page = result.targetInfos.find(({ type }: any) => type === 'page');
    return (await ask('Target.attachToTarget', { targetId: page.targetId, flatten: true })).result.sessionId;
  };
  return { ask, attach, events };
}
