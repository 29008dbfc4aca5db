// Port: repeats an earlier scrape in a session, so that its page is in the same state.
import type { Action } from '../contracts/actions.ts';
import type { BrowserSession } from './session.ts';

export interface ReplayedScrape {
  url: string;
  waitFor: number;
  actions: readonly Action[];
  /** When the caller's time is over. */
  deadline: number;
}

/** Throws if the page cannot be reached or an action fails. */
export type Replay = (session: BrowserSession, scrape: ReplayedScrape, signal: AbortSignal) => Promise<void>;
