// Writes cells as self-contained Markdown: an unclosed fence in one cell must not swallow the following cells.
import type { EmbeddedPictures } from '../embedded-pictures.ts';
import { asRecord, type Json } from './json-values.ts';

const BLANK_LINES = /^(?:[ \t]*\n)+/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ATTACHMENT = /!\[([^[\]]{0,1000})\]\(attachment:([^()\s]{1,300})\)/g;

export function codeFence(source: string, language: string): string {
  const text = source.replace(BLANK_LINES, '').trimEnd();
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.min(1000, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The text of a cell with its attachments embedded and an unclosed fence closed. */
export function closedMarkdown(source: string, attachments: Record<string, Json>, pictures: EmbeddedPictures): string {
  let open = '';
  for (const line of source.split('\n')) {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
    if (fence === '') continue;
    if (open === '') open = fence[0] === '`' && rest.includes('`') ? '' : fence;
    else if (fence[0] === open[0] && fence.length >= open.length && rest.trim() === '') open = '';
  }
  const text = source
    .replace(BLANK_LINES, '')
    .trimEnd()
    .replace(ATTACHMENT, (_, alt: string, name: string) => {
      const picture = Object.values(asRecord(attachments[name]))[0];
      const uri =
        typeof picture === 'string' ? pictures.dataUri(picture, () => Buffer.from(picture, 'base64')) : undefined;
      return uri === undefined ? alt || name : `![${alt}](${uri})`;
    });
  return open === '' ? text : `${text}\n${open}`;
}
