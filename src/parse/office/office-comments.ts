// Comments that readers left in a document, as a list at its end: what they are about, who wrote them, and what.
import { escapeHtml } from '../../markup/html/escape-html.ts';

export interface Comment {
  author: string;
  text: string;
  /** The words that it is about. */
  about: string;
  /** Where it stands, when there are no words: "slide 3". */
  place?: string;
}

export const MAX_COMMENTS = 2000;
const MAX_ABOUT = 120;

export function commentsHtml(comments: readonly Comment[]): string {
  const items = comments.slice(0, MAX_COMMENTS).map(({ author, text, about, place }) => {
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
  return words.length <= MAX_ABOUT ? words : `${words.slice(0, MAX_ABOUT).replace(/\s\S{0,30}$/, '')}…`;
}
