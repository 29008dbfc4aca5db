// Repeats an earlier scrape in a session: go to the page, wait, run the actions. The page stays open in the end state.
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
      const settlePage = () => settle(page, { signal, deadline, clock, traffic });
      const going = page.goto(url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
        throw navigationError(error);
      });
      await raceAbort(going, signal);
      await settlePage();
      if (waitFor > 0) await clock.sleep(waitFor, signal);
      if (actions.length > 0) {
        await raceAbort(runActions(page, actions, { signal, deadline, now: clock.now, settle: settlePage }), signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ServiceError ? error : pageError(error);
    } finally {
      // Closes the connection only: pages stay open in the browser.
      channel.close();
    }
  };
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  return context!.pages()[0] ?? context!.newPage();
}
