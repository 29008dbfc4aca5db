// No page can make its browser reach a forbidden address: the canary sees nothing. browser.full.test.ts proves that it could.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserPass } from '../../src/net/browser-proxy/browser-proxy.ts';
import { ATTACKS, DEPARTURES } from './browser-attacks.ts';
import { type BrowserStage, noBrowser, SITE, socketsOf } from './browser-stage.ts';
import { eventually, onLinux, openHostilePage, openStage, target } from './hostile-stage.ts';

describe('a hostile page', { skip: noBrowser }, () => {
  let stage: BrowserStage;
  let pass: BrowserPass;
  const sockets = new Set<string>();
  before(async () => {
    stage = await openStage();
    const look = () => {
      if (onLinux) for (const socket of socketsOf(stage.pid)) sockets.add(socket);
    };
    const watch = setInterval(look, 100);
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
