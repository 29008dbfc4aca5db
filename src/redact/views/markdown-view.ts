// Markdown without its escapes: `jane\_doe@example.com` is an email address, and links may have percent-encoded names.
import { type TextView, ViewBuilder } from './text-view.ts';
import { addDecodedUrl } from './url-view.ts';

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

export function markdownView(markdown: string): TextView {
  const view = new ViewBuilder();
  let position = 0;
  for (const { index, 0: whole, 1: character } of markdown.matchAll(ESCAPED)) {
    addDecodedUrl(view, markdown.slice(position, index), position);
    view.add(character!, index, index + whole.length);
    position = index + whole.length;
  }
  addDecodedUrl(view, markdown.slice(position), position);
  return view.view();
}

const DESTINATION = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|\bhttps?:\/\/[^\s<>"')\]]+/g;

/** The text with spaces in place of addresses, which have no names that a sentence would have. All positions stay. */
export const withoutAddresses = (text: string): string =>
  text.replace(DESTINATION, (found) =>
    found[0] === ']' ? `]${' '.repeat(found.length - 1)}` : ' '.repeat(found.length),
  );
