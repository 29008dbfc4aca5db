// One page of a session as viewers see it: its frames, its size, its address and title.
import type { LivePage } from '../../contracts/browser/live-view.ts';
import type { Params } from '../cdp.ts';
import type { CdpClient } from './cdp-client.ts';

export interface Screencast {
  readonly targetId: string;
  readonly sessionId: string;
  /** Starts the screencast. The first frame may arrive before this resolves. */
  start(): Promise<void>;
  /** Size of the page's window in CSS pixels; known from the first frame on. */
  readonly size: { width: number; height: number } | undefined;
  /** Takes the image out of a screencast event. */
  takeFrame(params: Params): Uint8Array;
  /** Requests more frames: the browser stops after two that are not acknowledged. */
  acknowledge(): void;
  location(): Promise<Omit<LivePage, 'type' | 'pages'>>;
  close(): void;
}

interface HistoryEntry {
  id: number;
  url: string;
  title: string;
}

const SCREENCAST = { format: 'jpeg', quality: 70, maxWidth: 1600, maxHeight: 1600 };
const MAX_ADDRESS = 4_000;
const MAX_TITLE = 300;

export async function attachScreen(client: CdpClient, targetId: string): Promise<Screencast> {
  const attached = await client.call('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = String(attached.sessionId);
  let size: Screencast['size'];
  let unacknowledged: unknown[] = [];
  // The page may have just closed; another event reports that.
  const notify = (method: string, params: Params) => void client.call(method, params, sessionId).catch(() => {});

  return {
    targetId,
    sessionId,
    async start() {
      await client.call('Page.startScreencast', SCREENCAST, sessionId);
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
      for (const frame of unacknowledged) notify('Page.screencastFrameAck', { sessionId: frame });
      unacknowledged = [];
    },
    async location() {
      const { index, entries } = await readHistory(client, sessionId);
      const { url = '', title = '' } = entries[index] ?? {};
      return {
        address: url.slice(0, MAX_ADDRESS),
        title: title.slice(0, MAX_TITLE),
        canGoBack: index > 0,
        canGoForward: index < entries.length - 1,
      };
    },
    close() {
      client.call('Target.detachFromTarget', { sessionId }).catch(() => {});
    },
  };
}

export async function readHistory(
  client: CdpClient,
  sessionId: string,
): Promise<{ index: number; entries: HistoryEntry[] }> {
  const { currentIndex, entries } = await client.call('Page.getNavigationHistory', {}, sessionId);
  return { index: currentIndex as number, entries: entries as HistoryEntry[] };
}
