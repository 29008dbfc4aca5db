// What the viewers of a session see: follows the active tab, and sends them its frames, address and title.
import type { LivePage } from '../../contracts/browser/live-view.ts';
import type { Clock } from '../../util/clock.ts';
import type { Params } from '../cdp.ts';
import type { Audience } from './audience.ts';
import type { CdpClient } from './cdp-client.ts';
import { attachScreen, type Screencast } from './screen.ts';
import { createTabs } from './tabs.ts';

export interface TabView {
  start(client: CdpClient): Promise<void>;
  onEvent(method: string, params: Params, sessionId: string | undefined): void;
  readonly screen: Screencast | undefined;
  /** What viewers were last sent about the page. */
  readonly page: LivePage | undefined;
}

/** Pages are described at most once in this time. */
const DESCRIBE_MS = 300;
const NO_PAGE = { address: '', title: '', canGoBack: false, canGoForward: false };

export function createTabView(audience: Audience, clock: Clock, ended: AbortSignal): TabView {
  const tabs = createTabs();
  let client: CdpClient | undefined;
  let screen: Screencast | undefined;
  let page: LivePage | undefined;

  const follow = oneAtATime(async () => {
    while (!ended.aborted && screen?.targetId !== tabs.active) {
      screen?.close();
      screen = undefined;
      audience.forget();
      if (tabs.active === undefined) break;
      try {
        screen = await attachScreen(client!, tabs.active);
        await screen.start();
      } catch {
        // The tab has just closed; the event for that leads to the next one.
        screen = undefined;
        break;
      }
    }
    describe();
  });

  const describe = oneAtATime(async () => {
    const location = await screen?.location().catch(() => undefined);
    const next: LivePage = { type: 'page', ...(location ?? NO_PAGE), pages: tabs.count };
    if (JSON.stringify(next) !== JSON.stringify(page)) audience.broadcast(next);
    page = next;
    await clock.sleep(DESCRIBE_MS, ended).catch(() => {});
  });

  return {
    async start(to) {
      client = to;
      await client.call('Target.setDiscoverTargets', { discover: true });
      tabs.settle();
      follow();
    },
    onEvent(method, params, sessionId) {
      if (tabs.note(method, params)) {
        follow();
      } else if (method === 'Page.screencastFrame' && screen && sessionId === screen.sessionId) {
        audience.showFrame(screen.takeFrame(params));
        // The address may change without an event that reaches us.
        describe();
      } else if (method === 'Target.targetCrashed' && params.targetId === screen?.targetId) {
        audience.broadcast({ type: 'notice', text: 'The page has crashed. Reload it, or open another.' });
      }
    },
    get screen() {
      return screen;
    },
    get page() {
      return page;
    },
  };
}

/** Runs `work`, and once more afterwards if it was called in the meantime. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let again = false;
  const run = async () => {
    isRunning = true;
    do {
      again = false;
      await work();
    } while (again);
    isRunning = false;
  };
  return () => {
    again = true;
    if (!isRunning) run();
  };
}
