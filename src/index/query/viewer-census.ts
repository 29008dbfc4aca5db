// The census for each viewer, kept until the index changes.
import type { Viewer } from '../../page/page-owner.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { Census } from '../segments/census.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import { seesEveryDoc, visibleDocs } from './column-filter.ts';

/** Undefined if the viewer sees every doc: then the index has the numbers ready. */
export type CensusOf = (viewer: Viewer) => Census | undefined;

/** A census takes a byte for each doc. */
const MAX_VIEWERS = 8;

export function createViewerCensus(columns: PageColumns, invertedIndex: InvertedIndex): CensusOf {
  const known = createBoundedMap<string, { version: number; census: Census }>({ maxEntries: MAX_VIEWERS });
  return (viewer) => {
    if (seesEveryDoc(columns, viewer)) return undefined;
    const name = viewer.join(' ');
    const { version } = columns;
    const kept = known.get(name);
    if (kept?.version === version) return kept.census;
    const census = invertedIndex.takeCensus(visibleDocs(columns, { viewer, verifiedOnly: false }));
    known.set(name, { version, census });
    return census;
  };
}
