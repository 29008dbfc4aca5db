// The one renderer of Markdown: HTML for our own tree, which takes out whatever must not be in an answer.
import { createRequire } from 'node:module';
import type { Env, MarkdownIt } from 'markdown-it';
import { clip } from '../index-entry/text/clip.ts';
import { definitionsIn, piecesOf } from './markdown-pieces.ts';
import { addRules } from './markdown-rules.ts';

/** A book has one to three million; the rest of a longer text is left out of everything but the Markdown itself. */
export const MAX_RENDERED = 4_000_000;

export interface RenderedMarkdown {
  html: string;
  /** Whether something was left out. */
  isCut: boolean;
}

let renderer: MarkdownIt | undefined;

export function renderMarkdown(markdown: string): RenderedMarkdown {
  renderer ??= createRenderer();
  const isCut = markdown.length > MAX_RENDERED;
  const text = clip(markdown, MAX_RENDERED);
  const pieces = piecesOf(text);
  const env: Env = {};
  // What they define is then known in all of them.
  if (pieces.length > 1) renderer.parse(definitionsIn(text), env);
  let html = '';
  for (const piece of pieces) html += renderer.render(piece, env);
  return { html, isCut };
}

function createRenderer(): MarkdownIt {
  // Loaded with the first document: most threads only ever see pages.
  const createMarkdownIt = createRequire(import.meta.url)('markdown-it') as typeof import('markdown-it').default;
  const markdown = createMarkdownIt({ html: true, linkify: true });
  // Only what says that it is an address: file names and abbreviations look like hosts.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  addRules(markdown);
  return markdown;
}
