// What one open data folder offers: the three ports, and a way to close them together.
import type { PageStore } from './pages.ts';
import type { ScrapeStore } from './scrapes.ts';
import type { TeamStore } from './teams.ts';

export interface Store {
  teams: TeamStore;
  pages: PageStore;
  scrapes: ScrapeStore;
  /** Waits for the calls that are under way, then lets go of the data folder. */
  close(): Promise<void>;
}
