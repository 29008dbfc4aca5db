// Prepares Markdown for scoring: its text without markup, and the share of labelled snippets in a text.

// The URL in parentheses, with an optional title, that follows the text of a link or an image.
const TARGET = String.raw`\((?:<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)`;
const IMAGE = new RegExp(String.raw`!\[(?:[^\[\]]|\[[^\]]*\])*\]${TARGET}`, 'g');
const LINK = new RegExp(String.raw`\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]${TARGET}`, 'gs');
// Links without a space between them are separate words, as in menus.
const TOUCHING = /\)(?=\[)/g;
// An h1 before everything else, in either notation.
const TITLE = /^\s*(?:# [^\n]*|[^\n]+\n=+[ \t]*(?=\n|$))/;
const FENCE = /^\s*(?:```|~~~)[^\n]*$/gm;
const TAG = /<[^>\n]+>/g;
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|>~])/g;
const EMPHASIS = /[*`]+/g;

/** The visible text of the rendered Markdown, without images. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(IMAGE, ' ')
    .replace(TOUCHING, ') ')
    .replace(LINK, '$1')
    .replace(FENCE, '')
    .replace(TAG, ' ')
    .replace(ESCAPED, '$1')
    .replace(EMPHASIS, '');

/** The Markdown without its leading h1. An image may come before it. */
export const withoutTitle = (markdown: string): string => markdown.replace(IMAGE, ' ').replace(TITLE, '');

/** The share of the snippets that the text contains, ignoring case. */
export function snippetShare(text: string, snippets: string[]): number {
  const lower = text.toLowerCase();
  return snippets.filter((snippet) => lower.includes(snippet.toLowerCase())).length / snippets.length;
}
