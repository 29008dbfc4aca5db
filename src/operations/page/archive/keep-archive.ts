// Keeps what was received for a page: a recorder for the request, and its exchanges in the archive of the scrape or job.

import { createRecorder, type Recorder } from '../../../net/recorder.ts';
import type { PageHeader } from '../../../page/page.ts';
import type { ArchiveStore, NewArchive } from '../../../store/ports/files/archive-store.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import type { Clock } from '../../../util/clock.ts';
import type { PageOptions } from '../page-request.ts';

export interface KeepDeps {
  archives: Pick<ArchiveStore, 'add'>;
  clock: Pick<Clock, 'now'>;
}

/** As long as the results of scrapes and jobs. */
export const ARCHIVE_MS = 24 * 3_600_000;

/** Undefined if nothing is to be kept. */
export const recorderFor = (
  { clock }: Pick<KeepDeps, 'clock'>,
  { archive, headers }: Pick<PageOptions, 'archive' | 'headers'>,
): Recorder | undefined =>
  archive
    ? createRecorder({
        now: clock.now,
        secret: new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase())),
      })
    : undefined;

export interface KeptPage {
  /** Undefined if it could not be read. */
  header?: Pick<PageHeader, 'finalUrl'>;
  title?: string;
}

/** Meta tags that a page has twice arrive as lists. */
export function titleOf(metadata: object): string {
  const [title] = [(metadata as { title?: unknown }).title].flat();
  return typeof title === 'string' ? title : '';
}

/** `part` names the page in its archive: a page that is read twice, after a kill, is kept once. */
export async function keepArchive(
  { archives, clock }: KeepDeps,
  archive: Omit<NewArchive, 'createdAt' | 'expiresAt'>,
  part: string,
  recorder: Recorder,
  { header, title = '' }: KeptPage,
): Promise<void> {
  const exchanges = await recorder.exchanges();
  if (exchanges.length === 0) return;
  const url = header && normaliseUrl(new URL(header.finalUrl));
  // What was asked for is a page even if it leads elsewhere.
  const page = exchanges.findLast((exchange) => exchange.url === url && exchange.method === 'GET') ?? exchanges[0]!;
  const now = clock.now();
  await archives.add({ ...archive, createdAt: now, expiresAt: now + ARCHIVE_MS }, part, [
    ...exchanges.map((exchange) => (exchange === page ? { ...exchange, page: title } : exchange)),
  ]);
}
