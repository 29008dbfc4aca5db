// Limits the length of a parsed file to what an answer can contain.
import type { ParsedFile } from '../../page/parsed.ts';
import { clip } from '../index-entry/text/clip.ts';

/** About ten books. */
export const MAX_BODY_CHARS = 16_000_000;
const WARNING = `The document is too long; it was cut after ${MAX_BODY_CHARS / 1_000_000} million characters.`;

export function boundedBody(body: ParsedFile['body']): { body: ParsedFile['body']; warnings: string[] } {
  const text = 'html' in body ? body.html : body.markdown;
  if (text.length <= MAX_BODY_CHARS) return { body, warnings: [] };
  const kept = clip(text, MAX_BODY_CHARS);
  return { body: 'html' in body ? { html: kept } : { markdown: kept }, warnings: [WARNING] };
}
