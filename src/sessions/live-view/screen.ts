// One page of a session as it is seen: its pictures, where it is, and how large.
import type { LivePage } from '../../contracts/live-view.ts';
import type { Params } from '../multiplexer/cdp-rules.ts';
import type { CdpClient } from './cdp-client.ts';

export interface Screen {
  readonly targetId: string;
  readonly sessionId: string;
  /** Begins to make pictures; the first may come before this is done. */
  start(): Promise<void>;
  /** Of the page's window, in CSS pixels; known with the first picture. */
  readonly size: { width: number; height: number } | undefined;
  /** The picture in an event of this page. */
  takeFrame(params: Params): Uint8Array;
  /** Lets the browser make further pictures: without it, it stops after two. */
  acknowledge(): void;
  location(): Promise<Omit<LivePage, 'type' | 'pages'>>;
  close(): void;
}

interface HistoryEntry {
  id: number;
  url: string;
  title: string;
}

const PICTURE = { format: 'jpeg', quality: 70, maxWidth: 1600, maxHeight: 1600 };
const MAX_ADDRESS = 4_000;
const MAX_TITLE = 300;

export async function attachScreen(protocol: CdpClient, targetId: string): Promise<Screen> {
  const attached = await protocol.call('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = String(attached.sessionId);
  let size: Screen['size'];
  let unacknowledged: unknown[] = [];
  // A page that was just opened may have gone meanwhile; whoever closes it is told so by another event.
  const tell = (method: string, params: Params) => void protocol.call(method, params, sessionId).catch(() => {});

  return {
    targetId,
    sessionId,
    async start() {
      await protocol.call('Page.startScreencast', PICTURE, sessionId);
    },
    get size() {
      return size;
    },
    takeFrame({ data, metadata, sessionId: frame }) {
      const { deviceWidth, deviceHeight } = metadata as { deviceWidth: number; deviceHeight: number };
      size = { width: deviceWidth, height: deviceHeight };
      unacknowledged.push(frame);
      return Buffer.from(data as string, 'base64');
    },
    acknowledge() {
      for (const frame of unacknowledged) tell('Page.screencastFrameAck', { sessionId: frame });
      unacknowledged = [];
    },
    async location() {
      const { index, entries } = await readHistory(protocol, sessionId);
      const { url = '', title = '' } = entries[index] ?? {};
      return {
        address: url.slice(0, MAX_ADDRESS),
        title: title.slice(0, MAX_TITLE),
        canGoBack: index > 0,
        canGoForward: index < entries.length - 1,
      };
    },
    close() {
      protocol.call('Target.detachFromTarget', { sessionId }).catch(() => {});
    },
  };
}

export async function readHistory(
  protocol: CdpClient,
  sessionId: string,
): Promise<{ index: number; entries: HistoryEntry[] }> {
  const { currentIndex, entries } = await protocol.call('Page.getNavigationHistory', {}, sessionId);
  return { index: currentIndex as number, entries: entries as HistoryEntry[] };
}
