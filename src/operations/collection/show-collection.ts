// A collection as answers show it.
import type { CollectionView } from '../../contracts/collection/collection.ts';
import { optionDefaults } from '../../contracts/monitor/monitor-targets.ts';
import type { StoredCollection } from '../../store/ports/collections/collection-store.ts';
import { iso } from '../../util/clock.ts';
import { showOptions, showTarget } from '../monitor/show-monitor.ts';
import { cursorAt } from './cursor.ts';

export function showCollection(collection: StoredCollection): CollectionView {
  const { name, definition, pages, lastChange, nextRunAt, lastRunAt, currentRunId, createdAt, updatedAt } = collection;
  const { targets, scrapeOptions, schedule, retentionDays } = definition;
  return {
    name,
    targets: targets.map(showTarget),
    scrapeOptions: showOptions(scrapeOptions, optionDefaults().scrapeOptions),
    schedule: schedule ?? null,
    retentionDays,
    pages,
    cursor: cursorAt(collection, lastChange),
    nextRunAt: nextRunAt === undefined ? null : iso(nextRunAt),
    lastRunAt: lastRunAt === undefined ? null : iso(lastRunAt),
    currentRunId: currentRunId ?? null,
    lastRun: showLastRun(collection),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

function showLastRun({ lastRun }: StoredCollection): CollectionView['lastRun'] {
  if (!lastRun) return null;
  const { id, status, finishedAt, error, result } = lastRun;
  return {
    ...{ id, status, finishedAt: iso(finishedAt), error: error ?? null },
    ...{ summary: result?.summary ?? null, kept: result?.kept ?? [], problems: result?.problems ?? [] },
  };
}
