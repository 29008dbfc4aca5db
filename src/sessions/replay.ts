// Port: repeats an earlier scrape in a session, so that its page is in the same state.
import type { ScrapeOptions } from '../contracts/scrape/scrape-options.ts';
import type { CallerHeaders } from '../net/http/caller-headers.ts';
import type { BrowserSession } from './session.ts';

/** What is repeated: the other options say how the result is written. */
export type ReplayedOptions = Pick<
  ScrapeOptions,
  'mobile' | 'location' | 'blockAds' | 'waitFor' | 'actions' | 'skipTlsVerification'
>;

export interface ReplayedScrape {
  url: string;
  headers: CallerHeaders;
  options: ReplayedOptions;
  /** When the caller's time is over. */
  deadline: number;
  /** Whether the session's browser refuses invalid certificates. */
  isVerifying: boolean;
}

/**
 * Throws if the page cannot be reached or an action fails; SCRAPE_SSL_ERROR, before any action, if the scrape accepted an
 * invalid certificate that this browser refuses.
 */
export type Replay = (session: BrowserSession, scrape: ReplayedScrape, signal: AbortSignal) => Promise<void>;
