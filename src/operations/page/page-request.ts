// One page as an operation asks for it.
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import type { Budget } from '../../util/abort.ts';

export type PageOptions = ScrapeOptions & { zeroDataRetention: boolean };

export interface PageRequest {
  url: URL;
  /** Whose profiles are meant. */
  teamId?: string;
  options: PageOptions;
  /** When the caller's time is over. */
  deadline: number;
  /** Its time stands still while a document waits for a parser: nobody waits at the other end of a job. */
  budget?: Pick<Budget, 'hold'>;
  /** What links to files begin with; no slash at its end. */
  baseUrl: string;
  /** Added to the User-Agent: crawls say who they are. */
  agent?: string;
  /** A host that says "not now" is not waited for: the caller does that. */
  isBusyFinal?: boolean;
}

/** Whether anything may stay behind once the caller has the page. */
export const mayStore = (options: PageOptions): boolean => !options.zeroDataRetention && !options.lockdown;
