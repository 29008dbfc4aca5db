// Outcomes of cached pages that were read a moment ago. The store still says which result is the right one; if it is this one,
// it is neither decompressed nor parsed again.
import type { TransformResult } from '../../page/page.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { systemClock } from '../../util/clock.ts';
import { openStored } from '../encoding/stored-outcome.ts';
import type { PageStore } from '../ports/pages/page-store.ts';
import type { IntactPage, KeptQuery } from '../sql/pages/cache/page-finder.ts';

interface KeptOutcome {
  resultId: string;
  outcome: TransformResult;
  size: number;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 64;
const MAX_BYTES = 4 * 1024 ** 2;

export function keepOutcomes(find: (query: KeptQuery) => Promise<IntactPage | undefined>): PageStore['find'] {
  const kept = createBoundedMap<string, KeptOutcome>({
    ...{ maxEntries: MAX_KEPT, maxWeight: MAX_BYTES, weightOf: ({ size }) => size },
    ...{ ttlMs: KEPT_MS, clock: systemClock },
  });
  return async (query) => {
    const name = `${query.key} ${query.transformKey}`;
    const last = kept.get(name);
    const found = await find({ ...query, keptResult: last?.resultId });
    if (!found || 'bytes' in found) return found;
    // The id of a result is never given to another one.
    const { stored, ...page } = found;
    if (!stored) return { ...page, outcome: { ...last!.outcome } };
    const { outcome } = openStored({ stored });
    kept.set(name, { resultId: found.resultId, outcome, size: stored.byteLength });
    return { ...page, outcome: { ...outcome } };
  };
}
