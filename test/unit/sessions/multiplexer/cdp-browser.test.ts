// What clients of a session can and cannot do with a real browser.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEEDS_BROWSER } from '../../../support/browser/browser.ts';
import { speak, startSessions, WANTED } from '../../../support/sessions.ts';
import { startWeb, type Web } from '../../../support/web.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

const soon = () => AbortSignal.timeout(60_000);

async function open(t: TestContext) {
  const { sessions } = startSessions(t, web);
  const session = await sessions.open(WANTED, soon());
  return { session, sessions, client: async () => speak(await session.connect(soon())) };
}

type Client = ReturnType<typeof speak>;

async function value({ ask }: Client, page: string, expression: string, more = {}) {
  const { result, error } = await ask(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true, ...more },
    page,
  );
  return result?.result?.value ?? result?.exceptionDetails?.exception?.description ?? error?.message;
}

async function until<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const signal = soon(); ; await sleep(20, undefined, { signal })) {
    const found = await read();
    if (found !== undefined) return found;
  }
}

async function go(client: Client, page: string, url: string): Promise<void> {
  await client.ask('Page.navigate', { url }, page);
  await until(async () =>
    (await value(client, page, 'document.readyState + location.href')) === `complete${url}` ? true : undefined,
  );
}

test('clients share the browser, but each has its own sessions with its pages', NEEDS_BROWSER, async (t) => {
  const { client } = await open(t);
  const [one, two] = [await client(), await client()];
  const page = await one.attach();
  await go(one, page, web.url('any.test', '/'));

  const foreign = await two.ask('Runtime.evaluate', { expression: '1' }, page);
  assert.deepEqual(foreign.error, { code: -32_001, message: 'Session with given id not found.' });
  assert.deepEqual(two.events, []);

  const own = await two.attach();
  assert.notEqual(own, page);
  assert.equal(await value(two, own, 'location.hostname'), 'any.test');
  await one.ask('Page.enable', {}, page);
  await value(two, own, 'document.title = "seen by both"');
  assert.equal(await value(one, page, 'document.title'), 'seen by both');
  assert.ok(two.events.every(({ sessionId }) => sessionId === undefined || sessionId === own));
});

test('each client receives messages as if it were alone', NEEDS_BROWSER, async (t) => {
  const { client } = await open(t);
  const one = await client();
  const answer = await one.ask('Browser.getVersion');
  assert.equal('sessionId' in answer, false);
  await one.ask('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  const attached = await until(() => one.events.find(({ method }) => method === 'Target.attachedToTarget'));
  assert.equal('sessionId' in attached, false);
  assert.equal(await value(one, attached.params.sessionId, '1 + 1'), 2);
});

test('a client that disconnects loses its contexts and leaves those of others', NEEDS_BROWSER, async (t) => {
  const { client, session } = await open(t);
  const channel = await session.connect(soon());
  const [one, two] = [speak(channel), await client()];
  const page = await two.attach();
  const { result } = await one.ask('Target.createBrowserContext', { disposeOnDetach: true });
  await one.ask('Target.createTarget', { url: 'about:blank', browserContextId: result.browserContextId });
  channel.close();
  await until(async () =>
    (await two.ask('Target.getBrowserContexts')).result.browserContextIds.length === 0 ? true : undefined,
  );
  assert.equal(await value(two, page, '2 + 2'), 4);
});

test('Browser.close ends the connection but not the browser', NEEDS_BROWSER, async (t) => {
  const { client, session } = await open(t);
  const channel = await session.connect(soon());
  const closed = new Promise<void>((resolve) => channel.onClose(resolve));
  assert.deepEqual((await speak(channel).ask('Browser.close')).result, {});
  await closed;
  assert.equal(session.ended.aborted, false);
  assert.ok((await (await client()).ask('Browser.getVersion')).result.product);
});

test('forbidden methods are refused by name', NEEDS_BROWSER, async (t) => {
  const { client } = await open(t);
  const one = await client();
  const page = await one.attach();
  const { result } = await one.ask('DOM.getDocument', {}, page);
  const { nodeId } = result.root;
  for (const [method, params, sessionId] of [
    ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId }, page],
    ['Page.navigate', { url: 'file:///etc/passwd' }, page],
    ['Target.createTarget', { url: 'chrome://version' }],
    ['SystemInfo.getInfo', {}],
    ['Tracing.start', {}],
    ['IO.read', { handle: '/etc/passwd' }, page],
    ['Target.exposeDevToolsProtocol', { targetId: 'any' }],
    ['Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' }],
    ['Browser.crash', {}],
  ] as const) {
    const { error } = await one.ask(method, params, sessionId);
    assert.equal(error?.code, -32_000, method);
    assert.ok(error.message.startsWith(`${method}: `), error.message);
  }
});

test('scripts cannot open files or internal pages of the browser', NEEDS_BROWSER, async (t) => {
  const { client } = await open(t);
  const one = await client();
  const page = await one.attach();
  const home = web.url('any.test', '/');
  await go(one, page, home);
  const { result } = await one.ask('Page.getFrameTree', {}, page);
  // Playwright uses such a world; it has the most power that a client can get.
  const world = await one.ask(
    'Page.createIsolatedWorld',
    { frameId: result.frameTree.frame.id, grantUniveralAccess: true },
    page,
  );
  for (const url of ['file:///etc/passwd', 'chrome://version/', 'view-source:http://any.test/']) {
    for (const contextId of [undefined, world.result.executionContextId]) {
      const within = { contextId, userGesture: true };
      const address = JSON.stringify(url);
      const fetched = await value(one, page, `fetch(${address}).then((r) => r.text(), () => 'failed')`, within);
      assert.equal(fetched, 'failed', url);
      assert.equal(await value(one, page, `open(${address}) === null`, within), true, url);
      await value(one, page, `location.href = ${address}`, within);
      assert.equal(await value(one, page, 'location.href'), home, url);
    }
  }
  assert.deepEqual(
    (await one.ask('Target.getTargets')).result.targetInfos.map(({ url }: { url: string }) => url),
    [home],
  );
});

test('a response forged by a client cannot redirect to a file', NEEDS_BROWSER, async (t) => {
  const { client } = await open(t);
  const one = await client();
  const page = await one.attach();
  await one.ask('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, page);
  const navigating = one.ask('Page.navigate', { url: web.url('any.test', '/') }, page);
  const { params } = await until(() => one.events.find(({ method }) => method === 'Fetch.requestPaused'));
  await one.ask(
    'Fetch.fulfillRequest',
    {
      requestId: params.requestId,
      responseCode: 302,
      responseHeaders: [{ name: 'Location', value: 'file:///etc/passwd' }],
    },
    page,
  );
  assert.match((await navigating).result.errorText, /ERR_UNSAFE_REDIRECT|ERR_/);
  assert.doesNotMatch(String(await value(one, page, 'document.documentElement.outerHTML')), /root:/);
});

test('downloads are denied, even if a client asks to allow them', NEEDS_BROWSER, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-downloads-'));
  t.after(() => rm(folder, { recursive: true }));
  const { client } = await open(t);
  const one = await client();
  const { result: made } = await one.ask('Target.createBrowserContext', {});
  const { browserContextId } = made;
  const wish = { behavior: 'allow', downloadPath: folder, eventsEnabled: true, browserContextId };
  assert.deepEqual((await one.ask('Browser.setDownloadBehavior', wish)).result, {});
  const { result } = await one.ask('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId: page } = (await one.ask('Target.attachToTarget', { targetId: result.targetId, flatten: true }))
    .result;
  await go(one, page, web.url('any.test', '/'));
  const click = `Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x.txt' }).click()`;
  await value(one, page, click, { userGesture: true });
  const state = await until(
    () =>
      one.events
        .filter(({ method }) => method === 'Browser.downloadProgress')
        .map(({ params }) => params.state)
        .filter((each) => each !== 'inProgress')[0],
  );
  assert.equal(state, 'canceled');
  assert.deepEqual(await readdir(folder), []);
});

test(
  'all traffic goes through the proxy and its rules, including that of client contexts',
  NEEDS_BROWSER,
  async (t) => {
    const { client } = await open(t);
    const one = await client();
    const { result: made } = await one.ask('Target.createBrowserContext', {});
    const { result } = await one.ask('Target.createTarget', { url: 'about:blank', ...made });
    const { sessionId: page } = (await one.ask('Target.attachToTarget', { targetId: result.targetId, flatten: true }))
      .result;
    // Only the resolver of the proxy knows this name.
    await go(one, page, web.url('any.test', '/'));
    const { result: refused } = await one.ask('Page.navigate', { url: 'http://10.1.2.3/' }, page);
    assert.match(refused.errorText, /ERR_/);
  },
);
