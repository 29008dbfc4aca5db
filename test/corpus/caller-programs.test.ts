// Programs of a caller in a browser: every way to ask another host, from every place where such a program runs. A key that is
// restricted to one domain reaches no other by them, and reads or sends nothing there.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { chromium } from 'playwright-core';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { WITH_BROWSER } from '../support/browser/service-settings.ts';
import { fullTest, test } from '../support/full-run.ts';
import { read, until } from '../support/jobs.ts';
import type { CreatedSession } from '../support/open-sessions.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import type { Answer, RunningService } from '../support/service.ts';
import { joinService } from '../support/shared-service.ts';
import { useService } from '../support/use-service.ts';
import { page, reply, type Site, send } from '../support/web/reply.ts';

/** The only host of the key. Browsers take such addresses for secure contexts, which service workers need. */
const HOME = '127.0.0.1';
/** Each way has a host of its own below it, so that it is known which one got through. */
const AWAY = 'away.test';
/** What the page loads by itself. */
const SHELF = 'shelf.test';

/** What a page runs to ask for `to`, until it knows what came of it. */
const WAYS = {
  fetch: `(to) => fetch(to)`,
  post: `(to) => fetch(to, { method: 'POST', mode: 'no-cors', body: 'secret' })`,
  xhr: `(to) => { const x = new XMLHttpRequest(); x.open('GET', to); x.send(); return end(x, 'loadend'); }`,
  websocket: `(to) => end(new WebSocket(to.replace('http:', 'ws:')), 'error')`,
  eventsource: `async (to) => { const source = new EventSource(to); await end(source, 'error'); source.close(); }`,
  beacon: `(to) => navigator.sendBeacon(to, 'secret')`,
  picture: `(to) => { const picture = new Image(); picture.src = to; return end(picture, 'error'); }`,
  worker: `(to) => end(new Worker('/worker.js?' + to), 'message')`,
  sharedworker: `(to) => { const { port } = new SharedWorker('/worker.js?' + to); port.start(); return end(port, 'message'); }`,
  serviceworker: `async (to) => {
    const told = new BroadcastChannel('told');
    const end_ = end(told, 'message');
    await navigator.serviceWorker.register('/worker.js?' + to);
    await end_;
    told.close();
  }`,
};
type Way = keyof typeof WAYS;

/** A dedicated worker, a shared worker and a service worker at once: it asks for what stands in its own address. */
const WORKER = `
  const to = location.search.slice(1);
  const asked = fetch(to, { mode: 'no-cors' }).then(() => 'read', () => 'failed');
  self.onconnect = async ({ ports: [port] }) => port.postMessage(await asked);
  self.oninstall = (event) => event.waitUntil(asked.then((said) => new BroadcastChannel('told').postMessage(said)));
  asked.then((said) => self.postMessage?.(said));`;

const home: Site = {
  '/': (exchange) => send(exchange, page('Home', `<script src="${exchange.origin(SHELF)}/shelf.js"></script>`)),
  '/worker.js': reply(WORKER, { type: 'text/javascript' }),
};
const away: Site = {
  '/*': reply('data: x\n\n', { type: 'text/event-stream', headers: { 'access-control-allow-origin': '*' } }),
};
const hostOf = (way: string) => `${way}.${AWAY}`;
const ways = Object.keys(WAYS) as Way[];

const scene = useService(WITH_BROWSER, undefined, {
  [HOME]: home,
  [SHELF]: { '/shelf.js': reply('document.title += " and shelf"', { type: 'text/javascript' }) },
  ...Object.fromEntries(ways.map((way) => [hostOf(way), away])),
});

/** An expression whose value is a promise: all ways at once. */
const programOf = (tried: readonly Way[]): string => `(async () => {
  const end = (thing, event) => new Promise((resolve) => {
    for (const type of [event, 'error', 'open', 'message', 'load']) thing.addEventListener(type, resolve, { once: true });
  });
  const ways = { ${tried.map((way) => `${way}: ${WAYS[way]}`).join(', ')} };
  const places = ${JSON.stringify(Object.fromEntries(tried.map((way) => [way, scene.web.url(hostOf(way), '/asked')])))};
  await Promise.allSettled(Object.entries(ways).map(async ([name, ask]) => ask(places[name])));
  return document.title;
})()`;

type Post = <T>(path: string, body: object) => Promise<Answer<T>>;

interface NewKey {
  key: string;
}

async function newKey(
  team: RunningService,
  limits: object,
): Promise<NewKey & { post: Post; remove(path: string): Promise<unknown> }> {
  const { body } = await team.post<{ data: NewKey }>('/v2/team/keys', { limits });
  const headers = { authorization: `Bearer ${body.data.key}`, 'content-type': 'application/json' };
  return {
    ...body.data,
    async post<T>(path: string, request: object) {
      const response = await scene.service.fetch(path, { method: 'POST', headers, body: JSON.stringify(request) });
      return { status: response.status, headers: response.headers, body: (await response.json()) as T };
    },
    remove: (path) => scene.service.fetch(path, { method: 'DELETE', headers }),
  };
}
type Caller = Awaited<ReturnType<typeof newKey>>;

const inSession = async (caller: Caller, work: (session: CreatedSession) => Promise<string>): Promise<string> => {
  const { status, body } = await caller.post<CreatedSession>('/v2/browser', {});
  assert.equal(status, 200, JSON.stringify(body));
  try {
    return await work(body);
  } finally {
    await caller.remove(`/v2/browser/${body.id}`);
  }
};

interface Entrance {
  /** Browsers of scrapes have no service workers. */
  ways: readonly Way[];
  skip: string | false | undefined;
  isSlow: boolean;
  /** The title of the page while the program ran. */
  title: string;
  /** Runs the program on the page, and returns what it returns. */
  run(caller: Caller, program: string, url: string): Promise<string>;
}

const ENTRANCES: Record<string, Entrance> = {
  'the action executeJavascript': {
    ways: ways.filter((way) => way !== 'serviceworker'),
    skip: NEEDS_BROWSER.skip,
    // Whether a script of a shared worker has loaded is never told, so that the page takes long to settle.
    isSlow: true,
    title: 'Home and shelf',
    async run(caller, script, url) {
      const actions = [{ type: 'executeJavascript', script }];
      const { body } = await caller.post<{ data: { actions: { javascriptReturns: { value: string }[] } } }>(
        '/v2/scrape',
        { url, actions, timeout: 60_000 },
      );
      return body.data.actions.javascriptReturns[0]!.value;
    },
  },
  'a session, over its link': {
    ways,
    skip: NEEDS_BROWSER.skip,
    isSlow: false,
    title: 'Home',
    run: (caller, program, url) =>
      inSession(caller, async ({ cdpUrl }) => {
        const browser = await chromium.connectOverCDP(cdpUrl);
        try {
          const tab = browser.contexts()[0]!.pages()[0]!;
          await tab.goto(url);
          return await tab.evaluate<string>(program);
        } finally {
          await browser.close();
        }
      }),
  },
  'code that runs in a session': {
    ways,
    skip: NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip,
    isSlow: true,
    title: 'Home',
    run: (caller, program, url) =>
      inSession(caller, async ({ id }) => {
        const code = `await page.goto(${JSON.stringify(url)}); await page.evaluate(${JSON.stringify(program)})`;
        const { body } = await caller.post<{ result: string }>(`/v2/browser/${id}/execute`, { code, timeout: 60 });
        return body.result;
      }),
  },
};

const arrivals = (): Record<string, number> =>
  Object.fromEntries(ways.map((way) => [way, scene.web.requests(hostOf(way))]));
const arrivedSince = (before: Record<string, number>): string[] =>
  Object.entries(arrivals()).flatMap(([way, count]) => (count > before[way]! ? [way] : []));

/** Hosts that keys of the team were kept from. */
const refusedIn = async (team: RunningService): Promise<string[]> => {
  const path = '/v2/team/audit?action=key.refused&limit=100';
  const { body } = await read<{ data: { target: string }[] }>(team, path);
  return body.data.map(({ target }) => target);
};

describe('a key that is restricted to a domain reaches no other by', () => {
  for (const [name, { ways: tried, skip, isSlow, title, run }] of Object.entries(ENTRANCES)) {
    const add = isSlow ? fullTest : test;
    add(name, { skip: skip ?? false }, async () => {
      const before = arrivals();
      const url = scene.web.url(HOME);
      // The audit log takes so many refusals of a team at a time, so that each entrance has its own.
      const team = await joinService(scene.web, WITH_BROWSER);
      const caller = await newKey(team, { domains: [HOME] });
      const shown = await run(caller, programOf(tried), url);
      assert.deepEqual(arrivedSince(before), []);
      assert.equal(shown, title);
      // A beacon tells nobody how it ended, so what was kept back is looked up.
      const hosts = tried.map(hostOf);
      await until(
        () => refusedIn(team),
        (refused) => hosts.every((host) => refused.includes(host)),
      );
      assert.deepEqual(arrivedSince(before), []);
      // The same program of a key without restrictions gets through by all of them.
      assert.equal(await run(await newKey(team, {}), programOf(tried), url), 'Home and shelf');
      await until(
        async () => arrivedSince(before),
        (arrived) => arrived.length === tried.length,
      );
    });
  }
});
