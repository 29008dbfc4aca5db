// The end of a service is the end of its browser sessions, however it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { descendants, isAlive, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { startServiceWith } from '../support/service.ts';
import { startWeb } from '../support/web.ts';

test('stopping or killing the service ends its sessions', NEEDS_BROWSER, async (t) => {
  const web = await startWeb();
  t.after(() => web.stop());
  for (const way of ['stop', 'kill'] as const) {
    const service = await startServiceWith(web, { TRAWL_BROWSER: 'auto' });
    try {
      const { body } = await service.post<{ cdpUrl: string }>('/v2/browser', {});
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
