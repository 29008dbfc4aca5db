// Port: brings the page of a session to where an earlier scrape had it.
import type { Action } from '../contracts/actions.ts';
import type { BrowserSession } from './session.ts';

export interface ReplayedScrape {
  url: string;
  waitFor: number;
  actions: readonly Action[];
  /** When the caller's time is over. */
  deadline: number;
}

/** Throws when the page cannot be reached or an action cannot be done again. */
export type Replay = (session: BrowserSession, scrape: ReplayedScrape, signal: AbortSignal) => Promise<void>;
