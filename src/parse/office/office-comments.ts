// Writes reviewers' comments as a list at the end of the text.
import { escapeHtml } from '../../markup/html/escape-html.ts';

export interface OfficeComment {
  author: string;
  text: string;
  /** The commented text; '' if unknown. */
  quoted: string;
  /** Used if there is no commented text: "slide 3". */
  location?: string;
}

export const MAX_COMMENTS = 2000;
const MAX_QUOTED = 120;

export function commentsHtml(comments: readonly OfficeComment[]): string {
  const items = comments.slice(0, MAX_COMMENTS).map(({ author, text, quoted: about, location: place }) => {
    const words = shortened(about);
    const where = words === '' ? escapeHtml(place ?? '') : `“${escapeHtml(words)}”`;
    const who = author === '' ? '' : `<strong>${escapeHtml(author)}</strong>`;
    const head = who !== '' && where !== '' ? `${who} on ${where}` : who + where;
    return `<li>${head === '' ? '' : `${head}: `}${escapeHtml(text).replaceAll('\n', '<br>')}</li>`;
  });
  return items.length === 0 ? '' : `<h2>Comments</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

function shortened(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length <= MAX_QUOTED ? words : `${words.slice(0, MAX_QUOTED).replace(/\s\S{0,30}$/, '')}…`;
}
