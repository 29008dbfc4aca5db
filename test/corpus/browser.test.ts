// No page can make its browser reach a forbidden address: the canary sees nothing, and controls prove that it could.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserPass } from '../../src/net/browser-proxy/browser-proxy.ts';
import { ATTACKS, CALL_OVER_UDP, DEPARTURES, hostilePage, hostileSite } from './browser-attacks.ts';
import {
  ALLOWED,
  type BrowserStage,
  INSIDE,
  noBrowser,
  openBrowserStage,
  openPlainBrowser,
  SITE,
  SITE_ADDRESS,
  socketsOf,
} from './browser-stage.ts';

const PATIENCE_MS = 60_000;
const onLinux = process.platform === 'linux';

/** Waits until `look` returns something; undefined after a timeout. */
async function eventually<T>(look: () => T | undefined): Promise<T | undefined> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const found = look();
    if (found) return found;
    await delay(50);
  }
  return undefined;
}

async function openStage(allow?: string): Promise<BrowserStage> {
  const stage = await openBrowserStage(
    hostileSite((path) => {
      const [, kind = '', name = ''] = path.split('/');
      const { port, udpPort } = stage;
      if (kind === 'hostile') return { html: hostilePage((attack) => `${attack}.${INSIDE}:${port}`, udpPort) };
      if (kind === 'literal') return { html: hostilePage(() => `${name}:${port}`, udpPort) };
      if (kind === 'depart') return DEPARTURES[name]?.(`http://${name}.${INSIDE}:${port}/`);
      return undefined;
    }),
    allow,
  );
  return stage;
}

/** Lets the page do everything that it can, and resolves afterwards. */
async function openHostilePage(stage: BrowserStage, path: string): Promise<BrowserPass> {
  const { context, pass } = await stage.enter();
  const page = await context.newPage();
  await page.goto(`http://${SITE}:${stage.port}${path}`, { waitUntil: 'commit' });
  await page.waitForFunction('window.tried && window.gathered');
  await page.evaluate('Promise.all([window.tried, window.gathered])');
  return pass;
}

const target = (name: string, { port }: BrowserStage) => new URL(`http://${name}.${INSIDE}:${port}/`);

describe('a hostile page', { skip: noBrowser }, () => {
  let stage: BrowserStage;
  let pass: BrowserPass;
  const sockets = new Set<string>();
  before(async () => {
    stage = await openStage();
    const look = () => {
      if (onLinux) for (const socket of socketsOf(stage.pid)) sockets.add(socket);
    };
    const watch = setInterval(look, 20);
    pass = await openHostilePage(stage, '/hostile').finally(() => clearInterval(watch));
    look();
  });
  after(() => stage.stop());

  for (const attack of ATTACKS) {
    test(`has its request by ${attack} refused`, async () => {
      const problem = await eventually(() => pass.problem(target(attack, stage)));
      assert.equal(problem?.code, 'UNSUPPORTED_SITE');
    });
  }

  for (const name of Object.keys(DEPARTURES)) {
    test(`cannot navigate to a forbidden target by ${name}`, async () => {
      const { context, pass: own } = await stage.enter();
      const page = await context.newPage();
      await page.goto(`http://${SITE}:${stage.port}/depart/${name}`).catch(() => {});
      const problem = await eventually(() => own.problem(target(name, stage)));
      assert.equal(problem?.code, 'UNSUPPORTED_SITE');
      await context.close();
    });
  }

  test('cannot reach forbidden IP addresses', async () => {
    await Promise.all(stage.canaries.map((host) => openHostilePage(stage, `/literal/${host}`)));
  });

  test('cannot reach a forbidden address by changing its DNS record', async () => {
    const { context, pass: own } = await stage.enter();
    stage.dns.set('moving.example', (nth) => [nth === 1 ? '127.0.0.2' : '127.0.0.1']);
    const page = await context.newPage();
    const origin = `http://moving.example:${stage.port}`;
    await page.goto(`${origin}/`);
    assert.equal(own.problem(), undefined);
    const second = await page.evaluate('fetch("/secret").then((r) => r.text(), (error) => error.name)');
    assert.equal(second, 'TypeError');
    assert.equal(own.problem(new URL(origin))?.code, 'UNSUPPORTED_SITE');
  });

  test('makes the browser connect only to the proxy', { skip: !onLinux }, () => {
    // Sockets without a far end listen or are UDP; the canary sees where datagrams go.
    const connected = [...sockets].filter((socket) => !socket.endsWith(':0'));
    assert.deepEqual(connected, [`tcp 0100007F:${stage.proxyPort}`]);
  });

  test('never reaches the canary, over TCP or UDP', () => {
    assert.deepEqual(stage.caught, []);
    assert.deepEqual(stage.datagrams, []);
  });

  test('can reach the open site', async () => {
    const { context } = await stage.enter();
    const page = await context.newPage();
    await page.goto(`http://${SITE}:${stage.port}/welcome`);
    assert.equal(await page.evaluate('fetch("/more").then((r) => r.text())'), 'the open site at /more');
  });
});

describe('the same page, once the operator allows its targets,', { skip: noBrowser }, () => {
  let stage: BrowserStage;
  before(async () => {
    stage = await openStage(`${ALLOWED}, *.${INSIDE}`);
    await openHostilePage(stage, '/hostile');
  });
  after(() => stage.stop());

  for (const attack of ATTACKS) {
    test(`reaches them by ${attack}`, async () => {
      const name = `${attack}.${INSIDE}`;
      assert.ok(await eventually(() => stage.caught.find((text) => text.includes(name))));
    });
  }

  for (const name of Object.keys(DEPARTURES)) {
    test(`navigates there by ${name}`, async () => {
      const { context } = await stage.enter();
      const page = await context.newPage();
      await page.goto(`http://${SITE}:${stage.port}/depart/${name}`).catch(() => {});
      assert.ok(await eventually(() => stage.caught.find((text) => text.includes(`${name}.${INSIDE}`))));
      await context.close();
    });
  }
});

test('control: a browser without our flags reaches the canary over UDP', { skip: noBrowser }, async (t) => {
  const stage = await openStage();
  t.after(() => stage.stop());
  const plain = await openPlainBrowser();
  t.after(() => plain.close());
  const page = await plain.newPage();
  await page.goto(`http://${SITE_ADDRESS}:${stage.port}/`);
  const call = `(${CALL_OVER_UDP})('127.0.0.1', ${stage.udpPort}, '127.0.0.1:${stage.port}')`;
  await page.evaluate(`void ${call}`);
  // STUN requests of WebRTC are short; the first packet of QUIC (WebTransport) has at least 1,200 bytes.
  assert.ok(await eventually(() => stage.datagrams.find((bytes) => bytes.length < 2 * 1_200)));
  assert.ok(await eventually(() => stage.datagrams.find((bytes) => bytes.length >= 2 * 1_200)));
  assert.ok(await eventually(() => stage.caught.length > 0 || undefined));
});
