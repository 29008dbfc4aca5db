// Which pages get an entry, and what of the response it is made with.
import type { TransformRequest, Verdict } from '../../contracts/page.ts';

export interface IndexedPage {
  finalUrl: string;
  headers: Record<string, string>;
  fetchedAt: number;
}

/** The page, when the caller wants an entry and it is one that a search should find. */
export function indexedPage({ page, index }: TransformRequest, verdict: Verdict): IndexedPage | undefined {
  const { finalUrl, headers, fetchedAt, status } = page;
  if (!index || fetchedAt === undefined || status >= 400 || verdict.kind !== 'content') return undefined;
  return { finalUrl, headers, fetchedAt };
}
