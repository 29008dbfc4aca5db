// Everything of a page that a caller can get to see, and a walk over all of its texts.

import type { PageContent, PageMetadata } from '../../page/page.ts';
import type { PageBlocks, PageMarkdown } from '../../page/parsed.ts';
import type { StructuredData } from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { mapStyles } from './style-texts.ts';

export interface RedactablePage {
  content: PageContent;
  metadata: PageMetadata;
  /** Sentences for the caller. */
  warnings: string[];
  /** What derived formats are made from. */
  source: PageSource;
  /** Two-letter code of the country whose phone numbers and identity numbers are expected. */
  country?: string | undefined;
}

/** How a text is written. Plain texts may be URLs. */
export type TextSyntax = 'plain' | 'markdown' | 'html';

export interface TextVisitor {
  /** Returns what to write instead. */
  text(text: string, kind: TextSyntax): string;
  /** Where an offset of a Markdown text is in what is written instead. */
  moved(markdown: string, offset: number): number;
}

/** The page with every text replaced. The Markdown comes first, then the rest, always in the same order. */
export function mapPage(page: RedactablePage, visitor: TextVisitor): RedactablePage {
  const plain = (text: string) => visitor.text(text, 'plain');
  const { source, content, metadata, warnings } = page;
  return {
    source: mapSource(source, visitor),
    metadata: mapDeep(metadata, plain),
    content: mapContent(content, visitor),
    warnings: warnings.map(plain),
  };
}

function mapSource(
  { markdown, title, html, data, styles, url, language, pageStarts, ...rest }: PageSource,
  visitor: TextVisitor,
): PageSource {
  const plain = (text: string) => visitor.text(text, 'plain');
  const redacted = visitor.text(markdown, 'markdown');
  return {
    url,
    ...(language !== undefined && { language }),
    markdown: redacted,
    ...(pageStarts && redacted === markdown && { pageStarts }),
    ...(title !== undefined && { title: plain(title) }),
    ...(data && { data: mapData(data, plain) }),
    ...(html !== undefined && { html: visitor.text(html, 'html') }),
    ...(styles && { styles: mapStyles(styles, plain) }),
    // What other formats add to the source.
    ...mapDeep(rest, plain),
  };
}

/** Names of meta tags and keys of embedded objects are text of the page. */
const mapData = ({ meta, embedded, ...data }: StructuredData, map: (text: string) => string): StructuredData => ({
  ...mapDeep(data, map),
  meta: mapDeep(meta, map, { withKeys: true }),
  embedded: embedded.map(({ name, value }) => ({
    ...(name !== undefined && { name: map(name) }),
    value: mapDeep(value, map, { withKeys: true }),
  })),
});

function mapContent({ markdown, html, links, images, pages, blocks }: PageContent, visitor: TextVisitor): PageContent {
  const plain = (text: string) => visitor.text(text, 'plain');
  return {
    ...(markdown !== undefined && { markdown: visitor.text(markdown, 'markdown') }),
    ...(html !== undefined && { html: visitor.text(html, 'html') }),
    ...(links && { links: [...new Set(links.map(plain))] }),
    ...(images && { images: [...new Set(images.map(plain))] }),
    ...(pages && { pages: pages.map((page) => mapPdfPage(page, visitor)) }),
    ...(blocks && { blocks: blocks.map((page) => mapBlocks(page, visitor, markdown)) }),
  };
}

const mapPdfPage = (page: PageMarkdown, visitor: TextVisitor): PageMarkdown => ({
  ...page,
  markdown: visitor.text(page.markdown, 'markdown'),
});

/** Blocks name their place in the Markdown, which moves. */
function mapBlocks({ items, ...page }: PageBlocks, visitor: TextVisitor, markdown: string | undefined): PageBlocks {
  const movedSpan = (span: [number, number]): [number, number] =>
    markdown === undefined ? span : [visitor.moved(markdown, span[0]), visitor.moved(markdown, span[1])];
  return {
    ...page,
    items: items.map((item) => ({
      ...item,
      content: visitor.text(item.content, 'markdown'),
      label: item.label === null ? null : visitor.text(item.label, 'plain'),
      markdownSpan: item.markdownSpan && movedSpan(item.markdownSpan),
    })),
  };
}

/** Every string in a value, and the keys of objects if they are text, too. */
function mapDeep<T>(value: T, map: (text: string) => string, { withKeys = false } = {}): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return map(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [withKeys ? map(key) : key, walk(inner)]));
  };
  return walk(value) as T;
}
