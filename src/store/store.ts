// What one open data folder offers: its ports, and a way to close them together.
import type { DeliveryStore } from './deliveries.ts';
import type { FeedbackStore } from './feedback.ts';
import type { FileStore } from './files.ts';
import type { IndexFeed } from './index-feed.ts';
import type { JobStore } from './jobs.ts';
import type { Notes } from './notes.ts';
import type { PageStore } from './pages.ts';
import type { ProfileStore } from './profiles.ts';
import type { JobQueue } from './queue.ts';
import type { ScrapeStore } from './scrapes.ts';
import type { TeamStore } from './teams.ts';
import type { UploadStore } from './uploads.ts';

export interface Store {
  teams: TeamStore;
  pages: PageStore;
  scrapes: ScrapeStore;
  jobs: JobStore;
  queue: JobQueue;
  deliveries: DeliveryStore;
  feed: IndexFeed;
  feedback: FeedbackStore;
  notes: Notes;
  files: FileStore;
  profiles: ProfileStore;
  uploads: UploadStore;
  /** Waits for the calls that are under way, then lets go of the data folder. */
  close(): Promise<void>;
}
