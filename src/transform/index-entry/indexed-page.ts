// Which pages get an index entry, and which parts of the response it needs.
import type { TransformRequest, Verdict } from '../../page/page.ts';

export interface IndexedPage {
  finalUrl: string;
  headers: Record<string, string>;
  fetchedAt: number;
}

/** Undefined unless an entry was requested and the page is worth finding. */
export function indexedPage({ page, index }: TransformRequest, verdict: Verdict): IndexedPage | undefined {
  const { finalUrl, headers, fetchedAt, status } = page;
  if (!index || fetchedAt === undefined || status >= 400 || verdict.kind !== 'content') return undefined;
  return { finalUrl, headers, fetchedAt };
}
