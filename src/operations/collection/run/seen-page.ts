// What a document says about a page of a collection: its text, that the page does not exist, or that nothing is known.
import type { Document } from '../../../contracts/scrape/document.ts';
import type { SeenPage } from '../../../store/ports/collections/member-store.ts';
import { normaliseUrl, readUrl } from '../../../urls/url.ts';
import { hashOf } from '../../../util/hash.ts';

const GONE = new Set([404, 410]);

type ReadDocument = Pick<Document, 'metadata' | 'markdown' | 'chunks'>;

/** `url` is the name of the page in the collection. */
export function seenPage(url: string, document: ReadDocument): SeenPage {
  const finalUrl = finalUrlOf(url, document);
  return { url, ...(finalUrl !== undefined && { finalUrl }), found: foundOf(document) };
}

function foundOf({ metadata, markdown, chunks = [] }: ReadDocument): SeenPage['found'] {
  const { statusCode, verdict, title, scrapeId } = metadata;
  if (statusCode === undefined || scrapeId === undefined)
    return { state: 'problem', problem: 'The stored content of the page is lost.' };
  if (GONE.has(statusCode)) return { state: 'gone' };
  if (statusCode >= 400) return { state: 'problem', problem: `The site answered with the status ${statusCode}.` };
  if (verdict !== undefined) return { state: 'problem', problem: `What the site sent is not the page (${verdict}).` };
  if (!markdown || markdown.trim() === '') return { state: 'problem', problem: 'The page has no text.' };
  return { state: 'read', hash: hashOf(title ?? '', markdown), chunkIds: chunks.map(({ id }) => id), scrapeId };
}

/** Stored pages are found and deleted under this address. */
function finalUrlOf(url: string, { metadata }: ReadDocument): string | undefined {
  const read = metadata.url === undefined ? undefined : readUrl(metadata.url);
  if (read === undefined || typeof read === 'string') return undefined;
  const final = normaliseUrl(read);
  return final === url ? undefined : final;
}
