// The ports of one open data folder, and a way to close them together.

import type { CollectionStore } from './collections/collection-store.ts';
import type { DeliveryLog } from './deliveries/delivery-log.ts';
import type { DeliveryStore } from './deliveries/delivery-store.ts';
import type { MailStore } from './deliveries/mail-store.ts';
import type { ArchiveStore } from './files/archive-store.ts';
import type { FileStore } from './files/file-store.ts';
import type { ProfileStore } from './files/profile-store.ts';
import type { UploadStore } from './files/upload-store.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { JobStore } from './jobs/job-store.ts';
import type { Leases } from './leases.ts';
import type { SharedLimits } from './limits/shared-limits.ts';
import type { Notes } from './notes.ts';
import type { ChunkVectorStore } from './pages/chunk-vector-store.ts';
import type { IndexFeed } from './pages/index-feed.ts';
import type { PageHistory } from './pages/page-history.ts';
import type { PageStore } from './pages/page-store.ts';
import type { ProgramStore } from './pages/program-store.ts';
import type { ScrapeStore } from './pages/scrape-store.ts';
import type { SiteMemoryStore } from './pages/site-memory-store.ts';
import type { StoredPages } from './pages/stored-pages.ts';
import type { ProcessRegistry } from './process-registry.ts';
import type { MonitorStore } from './runs/monitor-store.ts';
import type { RunQueue } from './runs/run-queue.ts';
import type { RunStore } from './runs/run-store.ts';
import type { SessionDirectory } from './session-directory.ts';
import type { AuditLog } from './teams/audit-log.ts';
import type { ConsoleSessionStore } from './teams/console-session-store.ts';
import type { FeedbackStore } from './teams/feedback-store.ts';
import type { Ledger } from './teams/ledger.ts';
import type { OnboardingStore } from './teams/onboarding-store.ts';
import type { SiemStore } from './teams/siem-store.ts';
import type { TeamStore } from './teams/team-store.ts';
import type { ThreatPolicyStore } from './teams/threat-policy-store.ts';
import type { WakeUps } from './wake-ups.ts';

/** Whether the store can be written. A failed write says that it cannot, and a successful one that it can again. */
export interface StoreHealth {
  /** Undefined while it can be written, else one sentence that says why not. */
  problem(): string | undefined;
  /** Resolves when it can be written, which may be at once. */
  writable(signal: AbortSignal): Promise<void>;
  /** Makes a call, again and again while it fails with STORAGE_UNAVAILABLE, each time after the store has recovered. */
  persist<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface Store {
  health: StoreHealth;
  teams: TeamStore;
  ledger: Ledger;
  audit: AuditLog;
  onboarding: OnboardingStore;
  consoleSessions: ConsoleSessionStore;
  threatPolicies: ThreatPolicyStore;
  siem: SiemStore;
  pages: PageStore;
  scrapes: ScrapeStore;
  history: PageHistory;
  stored: StoredPages;
  sites: SiteMemoryStore;
  chunkVectors: ChunkVectorStore;
  jobs: JobStore;
  queue: JobQueue;
  runs: RunStore;
  runQueue: RunQueue;
  monitors: MonitorStore;
  collections: CollectionStore;
  deliveries: DeliveryStore;
  deliveryLog: DeliveryLog;
  feed: IndexFeed;
  feedback: FeedbackStore;
  notes: Notes;
  mails: MailStore;
  programs: ProgramStore;
  files: FileStore;
  archives: ArchiveStore;
  profiles: ProfileStore;
  uploads: UploadStore;
  backlog: BacklogReader;
  wakeUps: WakeUps;
  leases: Leases;
  processes: ProcessRegistry;
  sessionPlaces: SessionDirectory;
  /** Absent if no other process can use the store. */
  sharedLimits?: SharedLimits;
  /** The process is about to stop: calls to a database that does not answer fail sooner. */
  hurry?(): void;
  /** Waits for calls in progress, then releases the data folder. */
  close(): Promise<void>;
}

/** How much is waiting, for the metrics. Answered from counters and small indexes. */
export interface Backlog {
  unfinishedJobs: number;
  /** When the oldest of them was created. */
  oldestJobAt?: number;
  /** Pages of unfinished jobs. */
  pages: { waiting: number; running: number };
  /** Agents, extractions and checks that have not ended. */
  unfinishedRuns: number;
  deliveries: number;
  /** When the earliest of them is or was due. */
  nextDeliveryAt?: number;
  cacheBytes: number;
  /** Size of the database file. */
  storeBytes: number;
}

export interface BacklogReader {
  read(): Promise<Backlog>;
}
