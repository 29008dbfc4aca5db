// Seals what callers, pages and models wrote. In the thread of SQLite nobody else waits, so it is done at once; beside
// PostgreSQL, where everybody does, what is large is compressed elsewhere. Not inside a transaction, which would wait for it.
import type { SealedText } from '../encoding/sealed-requests.ts';
import type { Awaitable } from './database.ts';

export interface Sealer {
  seal(part: unknown, teamId: string): Awaitable<SealedText>;
  /** Undefined if it was sealed with another secret. */
  open(text: SealedText, teamId: string): Awaitable<unknown>;
}
