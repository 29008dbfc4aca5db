// Renders Markdown as HTML, which is then parsed and sanitised like any page.
import { createRequire } from 'node:module';
import type { Env, MarkdownIt } from 'markdown-it';
import { lazy } from '../../util/lazy.ts';
import { clip } from '../index-entry/text/clip.ts';
import { definitionsIn, piecesOf } from './markdown-pieces.ts';
import { addRules } from './markdown-rules.ts';

/** A book has one to three million characters. The rest of a longer text is available as Markdown only. */
export const MAX_RENDERED = 4_000_000;

export interface RenderedMarkdown {
  html: string;
  /** Whether the end of the text was left out. */
  isCut: boolean;
}

export function renderMarkdown(markdown: string): RenderedMarkdown {
  const isCut = markdown.length > MAX_RENDERED;
  const text = clip(markdown, MAX_RENDERED);
  const pieces = piecesOf(text);
  const env: Env = {};
  // Definitions apply to all pieces.
  if (pieces.length > 1) renderer().parse(definitionsIn(text), env);
  let html = '';
  for (const piece of pieces) html += renderer().render(piece, env);
  return { html, isCut };
}

const renderer = lazy((): MarkdownIt => {
  // Loaded on first use: most threads only see HTML pages.
  const createMarkdownIt = createRequire(import.meta.url)('markdown-it') as typeof import('markdown-it').default;
  const markdown = createMarkdownIt({ html: true, linkify: true });
  // Links only explicit URLs: file names and abbreviations look like hosts.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  addRules(markdown);
  return markdown;
});
