// Controls for browser.test.ts: what the canary catches once it may be reached. And hostile pages that name IP addresses.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ATTACKS, CALL_OVER_UDP, DEPARTURES } from './browser-attacks.ts';
import {
  ALLOWED,
  type BrowserStage,
  INSIDE,
  noBrowser,
  openPlainBrowser,
  SITE,
  SITE_ADDRESS,
} from './browser-stage.ts';
import { eventually, openHostilePage, openStage } from './hostile-stage.ts';

test('a hostile page cannot reach forbidden IP addresses, over TCP or UDP', { skip: noBrowser }, async (t) => {
  const stage = await openStage();
  t.after(() => stage.stop());
  await Promise.all(stage.canaries.map((host) => openHostilePage(stage, `/literal/${host}`)));
  assert.deepEqual(stage.caught, []);
  assert.deepEqual(stage.datagrams, []);
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
