// Port: sessions of the console, and the one-time link that opens one. Only hashes of their secrets are stored.
import type { Actor } from './audit-log.ts';
import type { KeyOwner } from './team-store.ts';

/** What a session was opened with: it ends when that stops being valid. */
export type SessionProof =
  | { openedWith: 'key'; keyHash: string }
  /** TRAWL_API_KEY, which is not stored. The proof is a hash of it that the secret of the session is part of. */
  | { openedWith: 'operator-key'; proof: string }
  | { openedWith: 'link' };

export interface NewConsoleSession {
  hash: string;
  teamId: string;
  proof: SessionProof;
  /** When it ends at the latest, and when if it is not used before. */
  expiresAt: number;
  endsAt: number;
  /** What is opened with one key, or with links, beyond this many sessions ends, the oldest first. */
  maxSessions: number;
  /** Hash of the one-time link that is used up by this. */
  link?: string;
  /** Hash of a session that this one takes the place of. */
  replaces?: string;
}

export interface FoundConsoleSession {
  teamId: string;
  proof: SessionProof;
  /** Owner of the stored key that opened the session; absent if another proof did. */
  owner?: KeyOwner;
  endsAt: number;
}

/** Opening and closing write their rows in the audit log in the same transaction. */
export interface ConsoleSessionStore {
  /** A link that can be used once. The links before it end. */
  setLink(hash: string, expiresAt: number): Promise<void>;
  /** False if the link is not valid, or another session has used it. */
  open(session: NewConsoleSession, by: Actor): Promise<boolean>;
  /** A session that has not ended and whose key is valid. Records its use, at most once a minute: it then lasts `idleMs` more. */
  find(hash: string, now: number, idleMs: number): Promise<FoundConsoleSession | undefined>;
  /** Which of these are hashes of sessions that `find` would find. */
  findValid(hashes: readonly string[], now: number): Promise<string[]>;
  /** The hashes of all sessions that have not ended. */
  listHashes(now: number): Promise<string[]>;
  close(hash: string, by: Actor): Promise<void>;
}
