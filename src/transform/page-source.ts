// What other formats of a page are made from: its text and, if needed, its data and its HTML.

import type { HtmlTree } from '../markup/html/html-tree.ts';
import { parseHtml } from '../markup/html/parse-html.ts';
import { pageTree } from '../markup/page-tree/page-tree.ts';
import type { PageContent, TransformFormat, TransformOutcome, TransformRequest } from '../page/page.ts';
import { isNeeded, type PageSource, type SourceNeeds } from '../page/understanding.ts';

/** The request with the formats that the source is made from. */
export function withSourceFormats(request: TransformRequest, { html }: SourceNeeds): TransformRequest {
  const needed: TransformFormat[] = ['markdown', ...(html ? (['rawHtml'] as const) : [])];
  const formats = [...new Set([...request.options.formats, ...needed])];
  return { ...request, options: { ...request.options, formats } };
}

/** The tree of the page is kept only if its HTML is part of the source, and so read again. */
export const sourceTree = (html: string, { source }: TransformRequest): HtmlTree =>
  source?.html ? pageTree(html) : parseHtml(html);

/** Moves the source out of the content, which then has the requested formats only. */
export function withSource(
  { data, cleanMarkdown, repeated, pageStarts, selected, ...outcome }: TransformOutcome,
  request: TransformRequest,
): TransformOutcome {
  const { content, metadata } = outcome;
  const { title, language } = metadata;
  const source: PageSource = {
    url: request.page.finalUrl,
    ...(typeof title === 'string' && { title }),
    ...(typeof language === 'string' && { language }),
    markdown: request.source?.start ? startOf(content.markdown) : (content.markdown ?? ''),
    ...(cleanMarkdown !== undefined && { cleanMarkdown }),
    ...(data && { data }),
    ...(repeated && { repeated }),
    ...(pageStarts && { pageStarts }),
    ...(selected && { selected }),
    ...(isNeeded(request.source?.html, selected) && { html: content.rawHtml ?? '' }),
  };
  return { ...outcome, content: requested(content, request.options.formats), source };
}

/** Answers without a model read a million characters, fields two; few models have room for more than this. */
const MAX_START = 8_000_000;

const startOf = (markdown = ''): string => (markdown.length > MAX_START ? markdown.slice(0, MAX_START) : markdown);

function requested({ markdown, rawHtml, ...content }: PageContent, formats: readonly TransformFormat[]): PageContent {
  return {
    ...(formats.includes('markdown') && { markdown }),
    ...content,
    ...(formats.includes('rawHtml') && { rawHtml }),
  };
}
