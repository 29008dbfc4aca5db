// What is stored of a collection and its members, and what callers see of them.
import type { CollectionDefinition, CollectionRunResult } from '../../../contracts/collection/collection.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import type { StoredCollection } from '../../ports/collections/collection-store.ts';
import { type Member, type MemberChange, PAGES, UPLOADS } from '../../ports/collections/member-store.ts';

/** What transactions on a collection need to know. */
export interface CollectionRow {
  number: number;
  id: string;
  teamId: string;
  /** How long deletions are known. */
  keepMs: number;
  lastChange: number;
  forgotten: number;
  pages: number;
}

export interface CollectionViewRow extends CollectionRow {
  name: string;
  key: string | null;
  definition: SealedText;
  nextRunAt: number | null;
  lastRunAt: number | null;
  currentRunId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface LastRunRow {
  id: string;
  status: string;
  finishedAt: number;
  error: string | null;
  result: SealedText | null;
}

export interface MemberRow {
  url: string;
  finalUrl: string | null;
  state: 'waiting' | 'present' | 'gone';
  targetId: string;
  change: number | null;
  changedAt: number | null;
  hash: string | null;
  chunkIds: string | null;
  scrapeId: string | null;
  problem: string | null;
}

/** Undefined if the definition was sealed with another secret. */
export function toCollection(
  row: CollectionViewRow,
  definition: CollectionDefinition | undefined,
  lastRun: (LastRunRow & { opened?: CollectionRunResult }) | undefined,
): StoredCollection | undefined {
  if (!definition) return undefined;
  const { key, nextRunAt, lastRunAt, currentRunId, definition: _, keepMs: __, ...kept } = row;
  return {
    ...{ ...kept, definition },
    ...(key !== null && { key }),
    ...(nextRunAt !== null && { nextRunAt }),
    ...(lastRunAt !== null && { lastRunAt }),
    ...(currentRunId !== null && { currentRunId }),
    ...(lastRun && {
      lastRun: {
        ...{ id: lastRun.id, status: lastRun.status, finishedAt: lastRun.finishedAt },
        ...(lastRun.error !== null && { error: lastRun.error }),
        ...(lastRun.opened && { result: lastRun.opened }),
      },
    }),
  };
}

const idsOf = (text: string | null): string[] => (text === null ? [] : (JSON.parse(text) as string[]));

export const toChange = (row: MemberRow): MemberChange => ({
  ...{ url: row.url, change: row.change!, changedAt: row.changedAt!, hash: row.hash! },
  ...{ isDeleted: row.state !== 'present', chunkIds: idsOf(row.chunkIds) },
  ...(row.finalUrl !== null && { finalUrl: row.finalUrl }),
  ...(row.scrapeId !== null && { scrapeId: row.scrapeId }),
});

const SOURCES: Readonly<Record<string, Member['source']>> = { [PAGES]: 'page', [UPLOADS]: 'upload' };

export const toMember = (row: MemberRow): Member => ({
  ...{ url: row.url, source: SOURCES[row.targetId] ?? 'target', chunkIds: idsOf(row.chunkIds) },
  state: row.state === 'waiting' ? 'waiting' : 'present',
  ...(row.finalUrl !== null && { finalUrl: row.finalUrl }),
  ...(row.hash !== null && { hash: row.hash }),
  ...(row.scrapeId !== null && { scrapeId: row.scrapeId }),
  ...(row.changedAt !== null && { changedAt: row.changedAt }),
  ...(row.problem !== null && { problem: row.problem }),
});
