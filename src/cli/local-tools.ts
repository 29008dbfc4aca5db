// Port: what commands do on this machine without the HTTP interface. `compose` provides it and loads each part on first use.
import type { InspectionFinding } from '../store/tools/inspect/finding.ts';
import type { KeyRing } from './keys/key-ring.ts';

export interface LocalTools {
  client: ClientSettings;
  /** The service that runs on this user's data folder, if any. */
  findService(): Promise<FoundService | undefined>;
  /** Starts a service for one command. `note` is told what the user should know about it. */
  startEmbedded(note: (sentence: string) => void): Promise<EmbeddedService>;
  openKeyRing(): Promise<KeyRing & { close(): Promise<void> }>;
  /** The address of the console of a running service. If the service asks for keys, it logs one person in. */
  openConsole(service: FoundService): Promise<string>;
  examine(options: { network: boolean }): Promise<InspectionFinding[]>;
  backup(
    target: string,
    copy: boolean,
    say: Say,
  ): Promise<{ files: number; bytes: number; lost: number; moved: number }>;
  restore(source: string, say: Say): Promise<{ dataDir: string; files: number; createdAt: string }>;
  /** Moves a data folder into the engines of the settings. */
  migrate(from: string, say: Say): Promise<{ tables: number; rows: number; blobs: number; lost: number }>;
  /** Runs the service until the signal aborts. */
  serve(options: { say: Say; hasReader: boolean; onFatal(): void }, signal: AbortSignal): Promise<void>;
  settings(): Promise<readonly DocumentedSetting[]>;
  /** One sentence about an error that is expected on this machine, such as a port that is in use. */
  explain(error: unknown): string | undefined;
}

type Say = (words: string) => void;

/** From the environment of the program. */
export interface ClientSettings {
  /** TRAWL_URL */
  url: string | undefined;
  /** TRAWL_API_KEY */
  key: string | undefined;
  /** The folder for settings of this user's programs. Undefined for a user without a home folder. */
  configFolder: string | undefined;
  /** The home folder of this user, and where its applications keep their settings. Undefined without a home folder. */
  home: string | undefined;
  applicationFolder: string | undefined;
  /** TRAWL_MCP_TOOLS, as it was written. */
  mcpTools: string | undefined;
  /** How other programs start this one. */
  program: readonly string[];
  /** TRAWL_LOG_LEVEL=debug: unexpected errors are shown with their stack. */
  isDebug: boolean;
}

export interface FoundService {
  url: string;
  /** The address that its operator has given it. */
  publicUrl?: string;
  needsKey: boolean;
}

export interface EmbeddedService {
  url: string;
  key: string;
  /** What it stores is deleted when it is closed. */
  isTemporary: boolean;
  close(): Promise<void>;
}

export interface DocumentedSetting {
  env: string;
  doc: string;
  /** The default. */
  shown: string;
}
