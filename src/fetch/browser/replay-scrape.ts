// Does in a session what an earlier scrape did in a page of its own: go there, wait, act. The page stays as that leaves it.
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { ServiceError } from '../../contracts/errors.ts';
import type { Replay } from '../../sessions/replay.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { runActions } from './actions/actions.ts';
import { navigationError, pageError } from './browser-failure.ts';
import { settle } from './page/settle.ts';
import { watchTraffic } from './page/traffic.ts';
import { createPipeTransport } from './process/pipe.ts';

export function createReplay(clock: Clock): Replay {
  return async (session, { url, waitFor, actions, deadline }, signal) => {
    const { chromium } = await import('playwright-core');
    const channel = await session.connect(signal);
    try {
      const connecting = chromium.connectOverCDP(createPipeTransport(channel), { artifactsDir: tmpdir() });
      const page = await firstPage(await raceAbort(connecting, signal));
      const traffic = watchTraffic(page, clock);
      const quiet = () => settle(page, { signal, deadline, clock, traffic });
      const going = page.goto(url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
        throw navigationError(error);
      });
      await raceAbort(going, signal);
      await quiet();
      if (waitFor > 0) await clock.sleep(waitFor, signal);
      if (actions.length > 0) {
        await raceAbort(runActions(page, actions, { signal, deadline, now: clock.now, settle: quiet }), signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ServiceError ? error : pageError(error);
    } finally {
      // The connection only: what was opened in the browser stays.
      channel.close();
    }
  };
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  return context!.pages()[0] ?? context!.newPage();
}
