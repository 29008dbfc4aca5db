// What every scraped page is given, alone or in a job: an id, a price, its metadata and the warnings that belong to it.
import type { DocumentMetadata } from '../../contracts/document.ts';
import { uuidv7 } from '../../util/ids.ts';
import { scrapeCredits } from '../team/credits.ts';
import { documentMetadata } from './document.ts';
import { mediaCredits } from './media.ts';
import type { PageOptions } from './page-request.ts';
import type { Reading } from './read-page.ts';

interface Circumstances {
  requestedUrl: string;
  options: PageOptions;
  warnings: string[];
  /** Milliseconds spent waiting for a free place. */
  queuedMs: number;
  /** Of an upload: the name of the file. */
  sourceFile?: string;
  now: number;
}

export interface ScrapedPage {
  id: string;
  credits: number;
  metadata: DocumentMetadata;
  warning?: string;
}

export function scrapedPage(
  { header, outcome, cacheState }: Reading,
  { requestedUrl, options, warnings, queuedMs, sourceFile, now }: Circumstances,
): ScrapedPage {
  const id = uuidv7(now);
  const { verdict, document } = outcome;
  const credits =
    scrapeCredits({ page: header, verdict, document, fromCache: cacheState === 'hit', ...options }) +
    mediaCredits(options.formats);
  const metadata = documentMetadata(header, outcome, {
    scrapeId: id,
    requestedUrl,
    creditsUsed: credits,
    cacheState,
    queuedMs,
    sourceFile,
  });
  const notes = [...warnings, ...outcome.warnings, ...(verdict.kind === 'content' ? [] : [verdict.reason])];
  return { id, credits, metadata, ...(notes.length > 0 && { warning: notes.join(' ') }) };
}
