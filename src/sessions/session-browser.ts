// Port: the browser process of one session.
import type { CdpChannel } from './session.ts';

export interface SessionBrowser {
  readonly pid: number;
  readonly pipe: BrowserConnection;
  /** Resolves when all of its processes have ended. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
  readonly memory: {
    /** Bytes that its processes held when they were last looked at. */
    readonly bytes: number;
    /** Called just before the browser is killed because it uses too much. */
    onExcess: (excess: { scope: 'page' | 'all' }) => void;
  };
}

/** The only connection to the browser, without any rules applied. */
export interface BrowserConnection extends CdpChannel {
  /** Bytes that the browser has not read yet. */
  readonly pendingBytes: number;
}
