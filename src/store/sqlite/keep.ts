// Makes ready what is to be kept, before the transaction that writes it: no lock is held while bytes are compressed.
import type { PageOutcome } from '../../contracts/page.ts';
import { normaliseUrl } from '../../util/url.ts';
import type { Keep, NewPage } from '../pages.ts';
import { type Packed, packBytes } from './bodies.ts';
import { type PackedResult, packResult } from './results.ts';

const DESCRIPTION_LENGTH = 1_000;
const GONE = new Set([404, 410]);

export type PackedKeep =
  | { resultId: number }
  | { result: PackedResult; pageId?: number }
  | { result: PackedResult; page: PackedPage };

export interface PackedPage {
  key: string;
  url: string;
  header: string;
  body: Packed;
  fetchedAt: number;
  expiresAt: number | null;
  /** Null for what is no real page, and without which nobody is told about it. */
  site: string | null;
  title: string | null;
  description: string | null;
  /** The name of the page in the index. */
  finalUrl: string;
  entry: Packed | undefined;
  isGone: boolean;
}

export function packKeep(keep: Keep): PackedKeep {
  if ('resultId' in keep) return { resultId: Number(keep.resultId) };
  const result = packResult(keep.result);
  if (!('page' in keep)) return { result, pageId: keep.pageId };
  return { result, page: packPage(keep.page, keep.result.outcome) };
}

function packPage({ key, url, fetched, expiresAt, entry }: NewPage, { metadata, verdict }: PageOutcome): PackedPage {
  const { bytes, ...header } = fetched;
  const isReal = fetched.status < 400 && verdict.kind === 'content' && expiresAt === null;
  return {
    key,
    url,
    header: JSON.stringify(header),
    body: packBytes(bytes),
    fetchedAt: fetched.fetchedAt,
    expiresAt,
    site: isReal ? siteOf(URL.parse(url)?.host ?? '') : null,
    title: textOf(metadata.title),
    description: textOf(metadata.description),
    finalUrl: indexName(fetched.finalUrl),
    entry: entry && packBytes(entry),
    isGone: GONE.has(fetched.status),
  };
}

/** The name of a page in the index. */
export const indexName = (finalUrl: string): string => normaliseUrl(new URL(finalUrl));

/** The labels of a host (with its port, if any) from the last to the first: what is below it begins with the same text. */
export const siteOf = (host: string): string => `${host.split('.').reverse().join('.')}.`;

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value;
  // A character of two halves must not be cut between them.
  return text ? text.slice(0, DESCRIPTION_LENGTH).replace(/[\ud800-\udbff]$/, '') : null;
}
