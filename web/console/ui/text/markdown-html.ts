// Markdown from the web as HTML that is safe to show: no HTML of the page, only http links, and no image is loaded. A chunk
// of its own, because only those who look at rendered Markdown need it.
import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { type CutText, cutLines, isWebUrl, plainLine } from '../data/untrusted.ts';

export const MAX_MARKDOWN = 200_000;
export const MAX_MARKDOWN_LINES = 5_000;
const MAX_CHIP = 120;

export interface MarkdownHtml extends Omit<CutText, 'text'> {
  html: string;
}

export function markdownHtml(markdown: string): MarkdownHtml {
  const { text, wholeLength } = cutLines(markdown, MAX_MARKDOWN, MAX_MARKDOWN_LINES);
  const html = renderer().render(text);
  return { html, ...(wholeLength !== undefined && { wholeLength }) };
}

let made: MarkdownIt | undefined;

function renderer(): MarkdownIt {
  made ??= createRenderer();
  return made;
}

function createRenderer(): MarkdownIt {
  const markdown = createMarkdownIt({ html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // Every target is accepted here, so that bad ones are shown as text instead of as source.
  markdown.validateLink = () => true;
  const { escapeHtml } = markdown.utils;
  markdown.core.ruler.push('console', ({ tokens }) => {
    lowerHeadings(tokens);
    hideEmptyHeads(tokens);
    for (const { children } of tokens) if (children) secureLinks(children);
  });
  markdown.renderer.rules.image = (tokens, at) => {
    const token = tokens[at]!;
    const target = String(token.attrGet('src') ?? '');
    const alt = plainLine(token.content, MAX_CHIP) || 'Image';
    const label = `<span class="visually-hidden">Image: </span>${escapeHtml(alt)}`;
    if (!isWebUrl(target)) return `<span class="markdown-image">${label}</span>`;
    // Inside of a link, the link is what counts.
    if (token.meta?.isInLink) return `<span class="markdown-image">${label}</span>`;
    return `<a class="markdown-image" href="${escapeHtml(target)}" title="${escapeHtml(plainLine(target))}" target="_blank" rel="noopener noreferrer">${label}</a>`;
  };
  // A wide table scrolls on its own.
  markdown.renderer.rules.table_open = () => '<div class="markdown-table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  return markdown;
}

const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

/** Headings of the page are below those of the console, and none skips a level; the class says how they look. */
function lowerHeadings(tokens: readonly Token[]): void {
  let level = FIRST_LEVEL - 1;
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      const own = Number(token.tag.slice(1)) + FIRST_LEVEL - 1;
      level = Math.min(own, level + 1, LAST_LEVEL);
      token.attrSet('class', `markdown-${token.tag}`);
      token.tag = `h${level}`;
    } else if (token.type === 'heading_close') token.tag = `h${level}`;
  }
}

/** Markdown has no table without a head: an empty one is left out. */
function hideEmptyHeads(tokens: readonly Token[]): void {
  let head: Token | undefined;
  for (const token of tokens) {
    if (token.type === 'thead_open') head = token;
    else if (token.type === 'inline' && token.content.trim() !== '') head = undefined;
    else if (token.type === 'thead_close') {
      head?.attrSet('hidden', '');
      head = undefined;
    }
  }
}

/** A link to anything but a web page becomes text. */
function secureLinks(tokens: Token[]): void {
  const tags: string[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = String(token.attrGet('href') ?? '');
      const isSafe = isWebUrl(target);
      token.tag = isSafe ? 'a' : 'span';
      token.attrs = isSafe
        ? [
            ['href', target],
            ['title', plainLine(target)],
            ['target', '_blank'],
            ['rel', 'noopener noreferrer'],
          ]
        : [['class', 'markdown-dead-link']];
      tags.push(token.tag);
    } else if (token.type === 'link_close') token.tag = tags.pop() ?? 'span';
    else if (token.type === 'image' && tags.length > 0) token.meta = { isInLink: true };
  }
}
