// What of a page's Markdown counts: its words without the markup, and which of the labelled snippets are in it.

// What stands behind a link's or an image's text: an address in brackets, perhaps with a title.
const ADDRESS = String.raw`\((?:<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)`;
const IMAGE = new RegExp(String.raw`!\[(?:[^\[\]]|\[[^\]]*\])*\]${ADDRESS}`, 'g');
const LINK_END = new RegExp(String.raw`\]${ADDRESS}`, 'g');
const FENCE = /^\s*(?:```|~~~)[^\n]*$/gm;
const TAG = /<[^>\n]+>/g;
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|>~])/g;
const EMPHASIS = /[*`]+/g;

/** The text a reader of the rendered Markdown would see, less its images. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(IMAGE, ' ')
    .replace(LINK_END, '] ')
    .replace(FENCE, '')
    .replace(TAG, ' ')
    .replace(ESCAPED, '$1')
    .replace(EMPHASIS, '');

/** The share of the snippets that the text holds, letter case aside. */
export function snippetShare(text: string, snippets: string[]): number {
  const lower = text.toLowerCase();
  return snippets.filter((snippet) => lower.includes(snippet.toLowerCase())).length / snippets.length;
}
