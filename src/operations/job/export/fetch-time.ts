// When a page of a job was fetched, as far as that is known.
import { timeOfUuid } from '../../../util/ids.ts';
import type { ExportedDocument } from './read-documents.ts';
import type { ExportSource } from './read-slices.ts';

/** Undefined for a page of a batch that did not come from the cache: its scrape got its ID when the batch was started. */
export function fetchTime({ metadata }: ExportedDocument, { kind }: Pick<ExportSource, 'kind'>): Date | undefined {
  const cached = Date.parse(metadata.cachedAt ?? '');
  if (!Number.isNaN(cached)) return new Date(cached);
  const time = kind === 'crawl' ? timeOfUuid(metadata.scrapeId ?? '') : undefined;
  return time === undefined ? undefined : new Date(time);
}
