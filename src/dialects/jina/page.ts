// A page of the pipeline as the reader gives it.
import type { ResponseOf } from '../../contracts/route-types.ts';
import { documentMetadata } from '../../contracts/scrape/document.ts';
import { estimateTokens, fitTokens } from '../../text/estimate-tokens.ts';
import { bareText, plainText, rewriteMarks } from '../../text/markdown-text.ts';
import type { ReaderOptions } from './reader-fields.ts';
import { asks } from './scrape-options.ts';

type Document = Partial<Omit<ResponseOf<'scrape'>['data'], 'metadata'>> & {
  metadata?: Partial<ResponseOf<'scrape'>['data']['metadata']>;
};

export interface ReaderPage {
  title: string;
  description: string;
  url: string;
  content?: string;
  publishedTime?: string;
  html?: string;
  text?: string;
  screenshotUrl?: string;
  pageshotUrl?: string;
  links?: Record<string, string> | [string, string][];
  images?: Record<string, string>;
  warning?: string;
  metadata: Record<string, string>;
  external: Record<string, never>;
  usage: { tokens: number };
}

export async function pageOf(url: string, document: Document, options: ReaderOptions): Promise<ReaderPage> {
  const { parts, withLinksSummary, withImagesSummary, maxTokens } = options;
  const { metadata = {}, markdown, rawHtml, screenshot } = document;
  const has = (part: ReaderOptions['parts'][number]) => parts.includes(part);
  const cut = (text: string) => (maxTokens === undefined ? text : fitTokens(text, maxTokens).text);
  const content = has('content') || has('markdown') ? cut(await retained(markdown ?? '', options)) : undefined;
  const text = has('text') ? cut(await plainText(markdown ?? '')) : undefined;
  const html = has('html') ? (rawHtml ?? '') : undefined;
  const published = metadata['article:published_time'] ?? metadata.publishedTime;
  const pageWarning = warningOf(metadata);
  return {
    title: oneText(metadata.title),
    description: oneText(metadata.description),
    url,
    ...(content !== undefined && { content }),
    ...(typeof published === 'string' && { publishedTime: published }),
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(screenshot && { [has('pageshot') ? 'pageshotUrl' : 'screenshotUrl']: screenshot }),
    ...(asks(withLinksSummary) && { links: await linksOf(document, withLinksSummary === 'all') }),
    ...(asks(withImagesSummary) && { images: await imagesOf(document) }),
    ...(pageWarning !== undefined && { warning: pageWarning }),
    metadata: metaTags(metadata),
    external: {},
    usage: { tokens: estimateTokens(content ?? text ?? html ?? '') },
  };
}

const oneText = (value: string | string[] | undefined): string => [value ?? ''].flat()[0] ?? '';

const KNOWN = documentMetadata.unwrap().shape;

/** The tags of the page itself. */
const metaTags = (metadata: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).filter((tag): tag is [string, string] => {
      return typeof tag[1] === 'string' && !Object.hasOwn(KNOWN, tag[0]);
    }),
  );

function warningOf({ statusCode, error }: NonNullable<Document['metadata']>): string | undefined {
  if (statusCode === undefined || statusCode < 400) return undefined;
  return `Target URL returned error ${statusCode}${error === undefined ? '' : `: ${error}`}`;
}

function retained(markdown: string, { retainImages, retainLinks, mdLinkStyle }: ReaderOptions): Promise<string> {
  const isAlt = retainImages === 'alt';
  const isLinkText = retainLinks === 'text' || mdLinkStyle === 'discarded';
  return rewriteMarks(markdown, {
    ...(isAlt && { image: (alt) => (alt === '' ? '' : `(Image: ${alt})`) }),
    ...(retainImages === 'none' && { image: () => '' }),
    ...(isLinkText && { link: (text) => text }),
    ...(retainLinks === 'none' && { link: () => '' }),
  });
}

/** A link whose text is not in the Markdown is called by its address. Of several with one text, the first counts. */
async function linksOf({ links = [], markdown }: Document, isAll: boolean): Promise<ReaderPage['links']> {
  const texts = new Map<string, string>();
  await rewriteMarks(markdown ?? '', {
    link(text, url) {
      if (!texts.has(url)) texts.set(url, bareText(text));
      return text;
    },
  });
  const pairs = links.map((url): [string, string] => [texts.get(url) || url, url]);
  return isAll ? pairs : firstEach(pairs);
}

async function imagesOf({ images = [], markdown }: Document): Promise<Record<string, string>> {
  const texts = new Map<string, string>();
  await rewriteMarks(markdown ?? '', {
    image(alt, url) {
      texts.set(url, alt);
      return alt;
    },
  });
  return firstEach(
    images.map((url, at) => {
      const alt = texts.get(url);
      return [alt ? `Image ${at + 1}: ${alt}` : `Image ${at + 1}`, url];
    }),
  );
}

const firstEach = (pairs: readonly [string, string][]): Record<string, string> =>
  Object.fromEntries(pairs.toReversed());
