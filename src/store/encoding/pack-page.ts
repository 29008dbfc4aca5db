// Prepares a page and its result for storage before the transaction, so that no lock is held during compression.
import type { TransformResult } from '../../page/page.ts';
import type { PageOwner } from '../../page/page-owner.ts';
import { normaliseUrl } from '../../urls/url.ts';
import { freeBytes } from '../../util/bytes/free-bytes.ts';
import type { NewPage, PageCheck, PageToStore } from '../ports/pages/page-store.ts';

const DESCRIPTION_LENGTH = 1_000;
const GONE = new Set([404, 410]);

/** `Body` is what an adapter makes of compressed bytes before the transaction. */
export interface PackedResult<Body> {
  transformKey: string;
  body: Body;
  now: number;
}

export type Packed<Body> =
  | { resultId: number; checked?: PageCheck }
  | { result: PackedResult<Body>; pageId?: number; checked?: PageCheck }
  | { result: PackedResult<Body>; page: PackedPage<Body> };

export interface PackedPage<Body> extends PageFacts {
  body: Body;
  entry: Body | undefined;
}

/** All of a page but its bytes. */
interface PageFacts {
  key: string;
  owner: PageOwner;
  url: string;
  variant: string;
  rank: number;
  isVerified: boolean;
  header: string;
  status: number;
  contentType: string;
  fetchedAt: number;
  expiresAt: number | null;
  /** Null for stand-ins (errors, walls), which are not listed as known pages of the site. */
  site: string | null;
  title: string | null;
  description: string | null;
  /** Identifies the page in the index. */
  finalUrl: string;
  screenshot: NewPage['screenshot'];
  isGone: boolean;
}

/** Call it after the commit: until then, the call may be repeated. `keepsContent`: the caller still needs the content. */
export function freeToStore(toStore: PageToStore, { keepsContent = false } = {}): void {
  if (!('result' in toStore)) return;
  if (!keepsContent) freeBytes(toStore.result.outcome.content);
  if (!('page' in toStore)) return;
  freeBytes(toStore.page.fetched.bytes);
  freeBytes(toStore.page.entry);
}

export function pageFacts(page: NewPage, { metadata, verdict }: TransformResult): PageFacts {
  const { key, owner, url, variant, rank, fetched, expiresAt, screenshot } = page;
  const { bytes: _, ...header } = fetched;
  const isReal = fetched.status < 400 && verdict.kind === 'content' && expiresAt === null;
  return {
    key,
    owner,
    url,
    variant: JSON.stringify(variant),
    rank,
    isVerified: fetched.isVerified === true,
    header: JSON.stringify(header),
    status: fetched.status,
    contentType: fetched.contentType,
    fetchedAt: fetched.fetchedAt,
    expiresAt,
    site: isReal ? sitePrefix(URL.parse(url)?.host ?? '') : null,
    title: textOf(metadata.title),
    description: textOf(metadata.description),
    finalUrl: indexName(fetched.finalUrl),
    screenshot,
    isGone: GONE.has(fetched.status) || verdict.kind === 'soft-404',
  };
}

/** Identifies a page in the index. */
export const indexName = (finalUrl: string): string => normaliseUrl(new URL(finalUrl));

/** The labels of a host (and its port) in reverse order: the names of subdomains start with the same text. */
export const sitePrefix = (host: string): string => `${host.split('.').reverse().join('.')}.`;

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value;
  // Do not cut between two surrogates.
  return text ? text.slice(0, DESCRIPTION_LENGTH).replace(/[\ud800-\udbff]$/, '') : null;
}
