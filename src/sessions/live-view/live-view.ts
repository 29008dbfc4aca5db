// Lets people watch a session: one connection to its browser for all viewers. Frames come as fast as the fastest viewer
// takes them; slower ones skip some.
import type { LiveAction } from '../../contracts/browser/live-view.ts';
import { raceTimeout } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import type { BrowserSession, CdpChannel } from '../session.ts';
import { act, addressOf } from './act.ts';
import { createAudience, type LiveViewer } from './audience.ts';
import { type CdpClient, createCdpClient } from './cdp-client.ts';
import type { Screencast } from './screen.ts';
import { createTabView } from './tab-view.ts';

export interface Seat {
  /** The viewer has drawn a frame. */
  seen(): void;
  act(action: LiveAction): void;
  leave(): void;
}

export interface LiveView {
  /** Undefined when there are too many viewers. */
  join(viewer: LiveViewer): Seat | undefined;
}

const MAX_VIEWERS = 50;
/** Unanswered calls beyond which mouse moves and scrolling are dropped, and beyond which everything is. */
const MANY_CALLS = 50;
const TOO_MANY_CALLS = 500;
/** How long a copy waits for the action before it. */
const SELECT_MS = 2_000;

/** Ends, and calls `onEnd`, when the last viewer leaves or the connection to the browser closes. */
export function openLiveView(session: BrowserSession, clock: Clock, onEnd: () => void): LiveView {
  const over = new AbortController();
  const audience = createAudience(() => view.screen?.acknowledge());
  const view = createTabView(audience, clock, over.signal);
  let channel: CdpChannel | undefined;
  let client: CdpClient | undefined;

  const end = () => {
    if (over.signal.aborted) return;
    over.abort();
    onEnd();
    if (session.ended.aborted) audience.broadcast({ type: 'ended' });
    audience.dismiss();
    channel?.close();
  };

  const start = async () => {
    channel = await session.connect(over.signal);
    channel.onClose(end);
    client = createCdpClient(channel, view.onEvent);
    await view.start(client);
  };
  // Viewers are told that the view ended, and connect again.
  start().catch(end);

  const perform = async (viewer: LiveViewer, action: LiveAction) => {
    session.touch();
    const reply = client && (await performAction(client, view.screen, action));
    if (reply) viewer.send(reply);
  };

  return {
    join(viewer) {
      if (audience.size >= MAX_VIEWERS) return undefined;
      // A copy waits for the action before it, which may make the selection, and later actions wait for the copy, because
      // they may remove it: a cut does.
      let copied = Promise.resolve();
      let last = Promise.resolve();
      if (view.page) viewer.send(view.page);
      return {
        seen: audience.add(viewer),
        act(action) {
          // Errors are expected here: a click may hit a page that is just closing.
          const isCopy = action.type === 'copy';
          // An action whose page shows a dialog is not answered.
          const ready = isCopy ? raceTimeout(last, SELECT_MS, () => {}, { clock }) : copied;
          const done = ready.then(() => perform(viewer, action)).catch(() => {});
          if (isCopy) copied = done;
          last = done;
        },
        leave() {
          audience.remove(viewer);
          if (audience.size === 0) end();
        },
      };
    },
  };
}

async function performAction(client: CdpClient, screen: Screencast | undefined, action: LiveAction) {
  const canBeDropped = action.type === 'wheel' || (action.type === 'mouse' && action.event === 'move');
  if (client.pending > (canBeDropped ? MANY_CALLS : TOO_MANY_CALLS)) return undefined;
  if (screen) return act(client, screen, action);
  const url = action.type === 'go' && addressOf(action.address);
  if (url) await client.call('Target.createTarget', { url });
  return undefined;
}
