// Browser sessions of a service with its own limit: driven from another program, refused beyond the limit, and ended with it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { descendants, isAlive, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { type CreatedSession, sessionsOf } from '../support/open-sessions.ts';
import { startServiceWith } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const CLIENT = join(import.meta.dirname, '../support/cdp-client.ts');

const scene = useService({ TRAWL_BROWSER: 'auto', TRAWL_MAX_SESSIONS: '2' });
const { create, remove } = sessionsOf(scene);
const drive = async (cdpUrl: string, url: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, cdpUrl, url], { timeout: 60_000 });
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('browser sessions', NEEDS_BROWSER, () => {
  test('Playwright in another program drives a session, which stays open afterwards', async () => {
    const { id, cdpUrl } = await create();
    const url = scene.web.url('any.test', '/');
    const { picture, ...seen } = await drive(cdpUrl, url);
    assert.deepEqual(seen, { title: 'Welcome to any.test', clicked: 'clicked', file: 'refused' });
    assert.ok(Number(picture) > 1_000);
    const browser = await chromium.connectOverCDP(cdpUrl.replace(/^ws/, 'http'));
    assert.equal(browser.contexts()[0]!.pages()[0]!.url(), url);
    await browser.close();
    await remove(id);
    await assert.rejects(chromium.connectOverCDP(cdpUrl, { timeout: 5_000 }));
  });

  test('a session beyond the limit is refused with 429 until another has ended', async () => {
    const open = [await create(), await create()];
    const { status, body, headers } = await scene.service.post('/v2/browser', {});
    assert.equal(status, 429);
    assert.match(String(body.error), /maximum number of active browser sessions/);
    assert.ok(Number(headers.get('retry-after')) > 0);
    await remove(open[0]!.id);
    open.push(await create());
    for (const { id } of open.slice(1)) await remove(id);
  });

  test('stopping or killing the service ends its sessions', async () => {
    for (const way of ['stop', 'kill'] as const) {
      const service = await startServiceWith(scene.web, { TRAWL_BROWSER: 'auto' });
      try {
        const { body } = await service.post<CreatedSession>('/v2/browser', {});
        const browser = await chromium.connectOverCDP(body.cdpUrl);
        const processes = descendants(service.pid);
        assert.ok(processes.length > 1);
        const disconnected = new Promise<void>((resolve) => browser.on('disconnected', () => resolve()));
        await service[way]();
        await disconnected;
        for (const signal = AbortSignal.timeout(60_000); processes.some(isAlive); ) {
          await sleep(20, undefined, { signal });
        }
      } finally {
        await service.stop();
      }
    }
  });
});
