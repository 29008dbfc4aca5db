// Port: the browser of one session, as whoever starts it hands it over.
import type { CdpChannel } from './session.ts';

export interface SessionBrowser {
  readonly pid: number;
  readonly pipe: BrowserPipe;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** The one connection there is to it, unguarded. */
export interface BrowserPipe extends CdpChannel {
  /** Bytes that the browser has not taken yet. */
  readonly pendingBytes: number;
}
