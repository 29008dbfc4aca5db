// Whether a document is a version of the watched page, says that the page is gone, or neither.
import type { Document } from '../../../contracts/document.ts';

const GONE = new Set([404, 410]);

export type PageVerdict =
  | { state: 'content'; markdown: string }
  | { state: 'gone' }
  | { state: 'error'; error: string };

export function pageVerdict({ metadata, markdown }: Pick<Document, 'metadata' | 'markdown'>): PageVerdict {
  const { statusCode, verdict } = metadata;
  if (statusCode === undefined) return { state: 'error', error: 'The stored content of the page is lost.' };
  if (GONE.has(statusCode) || verdict === 'soft-404') return { state: 'gone' };
  if (statusCode >= 400) return { state: 'error', error: `The site answered with the status ${statusCode}.` };
  if (verdict !== undefined) return { state: 'error', error: `What the site sent is not the page (${verdict}).` };
  if (!markdown || markdown.trim() === '') return { state: 'error', error: 'The page has no text.' };
  return { state: 'content', markdown };
}
