// The ports of one open data folder, and a way to close them together.
import type { DeliveryStore } from './delivery-store.ts';
import type { FeedbackStore } from './feedback-store.ts';
import type { FileStore } from './file-store.ts';
import type { IndexFeed } from './index-feed.ts';
import type { JobQueue } from './job-queue.ts';
import type { JobStore } from './job-store.ts';
import type { Ledger } from './ledger.ts';
import type { Notes } from './notes.ts';
import type { PageStore } from './page-store.ts';
import type { ProfileStore } from './profile-store.ts';
import type { ScrapeStore } from './scrape-store.ts';
import type { TeamStore } from './team-store.ts';
import type { UploadStore } from './upload-store.ts';

export interface Store {
  teams: TeamStore;
  ledger: Ledger;
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
  /** Waits for calls in progress, then releases the data folder. */
  close(): Promise<void>;
}
