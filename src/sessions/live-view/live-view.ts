// Looking at a session: one connection to its browser, however many look. Pictures come as fast as the fastest viewer takes
// them; the others miss some and lose nothing but them.
import type { LiveAction, LivePage } from '../../contracts/live-view.ts';
import type { Clock } from '../../util/clock.ts';
import type { Params } from '../multiplexer/cdp-rules.ts';
import type { BrowserSession, CdpChannel } from '../session.ts';
import { act, addressOf } from './act.ts';
import { createAudience, type Viewer } from './audience.ts';
import { type CdpClient, createCdpClient } from './cdp-client.ts';
import { attachScreen, type Screen } from './screen.ts';
import { createTabs } from './tabs.ts';

export interface Seat {
  /** A picture was drawn. */
  seen(): void;
  act(action: LiveAction): void;
  leave(): void;
}

export interface LiveView {
  /** Undefined when there are too many viewers. */
  join(viewer: Viewer): Seat | undefined;
}

const MAX_VIEWERS = 50;
/** Calls that the browser has not answered: what can be left out is, then everything. */
const MANY_CALLS = 50;
const TOO_MANY_CALLS = 500;
const ADDRESS_MS = 300;
const NOWHERE = { address: '', title: '', canGoBack: false, canGoForward: false };

/** Without viewers it ends, and calls `onEnd`; so it does with the connection to the browser. */
export function openLiveView(session: BrowserSession, clock: Clock, onEnd: () => void): LiveView {
  const audience = createAudience(() => screen?.acknowledge());
  const over = new AbortController();
  const tabs = createTabs();
  let channel: CdpChannel | undefined;
  let protocol: CdpClient | undefined;
  let screen: Screen | undefined;
  let page: LivePage | undefined;

  const end = () => {
    if (over.signal.aborted) return;
    over.abort();
    onEnd();
    if (session.ended.aborted) audience.broadcast({ type: 'ended' });
    audience.dismiss();
    channel?.close();
  };

  const follow = oneAtATime(async () => {
    while (!over.signal.aborted && screen?.targetId !== tabs.active) {
      screen?.close();
      screen = undefined;
      audience.forget();
      if (tabs.active === undefined) break;
      try {
        screen = await attachScreen(protocol!, tabs.active);
        await screen.start();
      } catch {
        // It has closed meanwhile: the event that says so leads to the next.
        screen = undefined;
        break;
      }
    }
    describe();
  });

  const describe = oneAtATime(async () => {
    const there = await screen?.location().catch(() => undefined);
    const next: LivePage = { type: 'page', ...(there ?? NOWHERE), pages: tabs.count };
    if (JSON.stringify(next) !== JSON.stringify(page)) audience.broadcast(next);
    page = next;
    await clock.sleep(ADDRESS_MS, over.signal).catch(() => {});
  });

  const onEvent = (method: string, params: Params, sessionId: string | undefined) => {
    if (tabs.note(method, params)) {
      follow();
    } else if (method === 'Page.screencastFrame' && screen && sessionId === screen.sessionId) {
      audience.showFrame(screen.takeFrame(params));
      // Addresses change without any event that could be had here.
      describe();
    } else if (method === 'Target.targetCrashed' && params.targetId === screen?.targetId) {
      audience.broadcast({ type: 'notice', text: 'The page has crashed. Load it again, or open another.' });
    }
  };

  const start = async () => {
    channel = await session.connect(over.signal);
    channel.onClose(end);
    protocol = createCdpClient(channel, onEvent);
    await protocol.call('Target.setDiscoverTargets', { discover: true });
    tabs.settle();
    follow();
  };
  // Whoever looks is told that it is over, and comes again.
  start().catch(end);

  const perform = async (viewer: Viewer, action: LiveAction) => {
    session.touch();
    const answer = protocol && (await doWith(protocol, screen, action));
    if (answer) viewer.send(answer);
  };

  return {
    join(viewer) {
      if (audience.size >= MAX_VIEWERS) return undefined;
      // Whatever comes next may take away what is to be copied: a cut does.
      let copied = Promise.resolve();
      if (page) viewer.send(page);
      return {
        seen: audience.add(viewer),
        act(action) {
          // A click on what is just going away is no failure of anybody.
          const done = copied.then(() => perform(viewer, action)).catch(() => {});
          if (action.type === 'copy') copied = done;
        },
        leave() {
          audience.remove(viewer);
          if (audience.size === 0) end();
        },
      };
    },
  };
}

async function doWith(protocol: CdpClient, screen: Screen | undefined, action: LiveAction) {
  const canBeLeftOut = action.type === 'wheel' || (action.type === 'mouse' && action.event === 'move');
  if (protocol.waiting > (canBeLeftOut ? MANY_CALLS : TOO_MANY_CALLS)) return undefined;
  if (screen) return act(protocol, screen, action);
  const url = action.type === 'go' && addressOf(action.address);
  if (url) await protocol.call('Target.createTarget', { url });
  return undefined;
}

/** Runs it, and once more after that when it was called meanwhile. */
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
