// What people see of a stored page, made of its copies in the cache, its entry in the index, and its results.
import type { IndexEntry } from '../../../page/index-entry.ts';
import type { PageContent, PageMetadata, PageVariant, TransformResult } from '../../../page/page.ts';
import type { PageCopy, StoredPage, StoredPageDetails } from '../../ports/pages/stored-pages.ts';

/** How many copies of a page are shown, and of how many results the formats are read. */
export const COPIES_SHOWN = 50;
export const RESULTS_READ = 8;
/** URLs that one call looks at when it searches for a text in them. */
export const URLS_SEARCHED = 2_000;
/** A list ends early when this many bytes of entries were read for it, so that no call takes long. */
export const LIST_BYTES = 4 * 1024 * 1024;

export interface StoredCopy {
  id: number;
  owner: string;
  url: string;
  variant: string | null;
  status: number;
  contentType: string;
  size: number;
  fetchedAt: number;
  checkedAt: number;
  expiresAt: number | null;
  isVerified: boolean;
  title: string | null;
  description: string | null;
  screenshots: number;
}

export interface StoredEntry {
  owner: string;
  fetchedAt: number;
  /** Undefined if its bytes are lost. */
  entry?: IndexEntry;
}

/** Everything that is stored of one page. */
export interface StoredParts {
  /** Newest first. */
  copies: StoredCopy[];
  indexed?: StoredEntry;
  isTracked: boolean;
}

export function summary(url: string, { copies, indexed, isTracked }: StoredParts, teamId: string): StoredPage {
  const [newest] = copies;
  const entry = indexed?.entry;
  const title = entry?.title || newest?.title;
  const fetchedAt = newest?.fetchedAt ?? indexed?.fetchedAt;
  const owners = [...copies, ...(indexed ? [indexed] : [])].map(({ owner }) => owner);
  return {
    url,
    ...(title && { title }),
    ...(entry?.language && { language: entry.language }),
    ...(entry && { fileType: entry.fileType }),
    isSearchable: indexed !== undefined,
    isTracked,
    isShared: owners.some((owner) => owner !== teamId),
    ...(fetchedAt !== undefined && { fetchedAt }),
    ...(newest && { status: newest.status }),
    copies: copies.length,
    bytes: copies.reduce((sum, { size }) => sum + size, 0),
  };
}

type ShownResults = Pick<StoredPageDetails, 'formats' | 'metadata' | 'content'>;

/** Collects results, the newest first: the first Markdown, the metadata, and which formats there are. */
export function collectResults() {
  const formats = new Set<string>();
  let metadata: PageMetadata | undefined;
  let content: StoredPageDetails['content'];
  return {
    add(outcome: TransformResult, fetchedAt: number): void {
      metadata ??= outcome.metadata;
      const made = JSON.parse(Buffer.from(outcome.content).toString()) as PageContent;
      for (const format of Object.keys(made)) formats.add(format);
      if (made.markdown !== undefined) content ??= { format: 'markdown', text: made.markdown, fetchedAt };
    },
    hasContent: () => content !== undefined,
    results: (): ShownResults => ({
      ...{ formats: [...formats], metadata: metadata ?? {} },
      ...(content && { content }),
    }),
  };
}

/** `own` is what is stored under the URL itself, `target` where it leads, and `parts` what is stored of the page. */
interface FoundPage {
  url: string;
  own?: StoredParts;
  target?: string;
  parts: StoredParts;
}

export function details(
  { url, own, target, parts }: FoundPage,
  { content: markdown, ...results }: ShownResults,
  teamId: string,
): StoredPageDetails {
  const { copies, indexed } = parts;
  const entry = indexed?.entry;
  const description = entry?.description || copies[0]?.description;
  const text = entry && { format: 'text' as const, text: entry.body, fetchedAt: entry.fetchedAt };
  const content = markdown ?? text;
  return {
    ...{ ...summary(url, parts, teamId), isTracked: own?.isTracked ?? false },
    ...(target !== undefined && { redirectsTo: target }),
    ...(description && { description }),
    ...(entry?.publishedAt !== undefined && { publishedAt: entry.publishedAt }),
    ...results,
    variants: copies.map(toCopy),
    ...(content && { content }),
  };
}

const toCopy = (row: StoredCopy): PageCopy => ({
  requestedUrl: row.url,
  ...(row.variant !== null && { variant: JSON.parse(row.variant) as PageVariant }),
  ...{ fetchedAt: row.fetchedAt, checkedAt: row.checkedAt, expiresAt: row.expiresAt, status: row.status },
  ...{ contentType: row.contentType, bytes: row.size, isVerified: row.isVerified, screenshots: row.screenshots },
});
