// The metadata of a page: title, language, favicon, and every meta tag under its usual and its raw name.

import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { isBlock, TAG } from '../../markup/html/tags.ts';
import type { PageMetadata } from '../../page/page.ts';

// Usual names of well-known tags; the first tag of each counts.
const USUAL = new Map(
  Object.entries({
    'og:title': 'ogTitle',
    'og:description': 'ogDescription',
    'og:url': 'ogUrl',
    'og:image': 'ogImage',
    'og:audio': 'ogAudio',
    'og:determiner': 'ogDeterminer',
    'og:locale': 'ogLocale',
    'og:site_name': 'ogSiteName',
    'og:video': 'ogVideo',
    'article:section': 'articleSection',
    'article:tag': 'articleTag',
    'article:published_time': 'publishedTime',
    'article:modified_time': 'modifiedTime',
    'dcterms.created': 'dcTermsCreated',
    'dc.date.created': 'dcDateCreated',
    'dc.date': 'dcDate',
    'dcterms.type': 'dcTermsType',
    'dc.type': 'dcType',
    'dcterms.audience': 'dcTermsAudience',
    'dcterms.subject': 'dcTermsSubject',
    'dc.subject': 'dcSubject',
    'dc.description': 'dcDescription',
    'dcterms.keywords': 'dcTermsKeywords',
  }),
);

const MAX_KEYS = 200;
const MAX_VALUES = 100;
const MAX_KEY = 200;
const MAX_VALUE = 20_000;
// Merged regardless of case.
const IN_LOWER_CASE = /^(?:description|keywords|robots)$/i;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
// Set by the service: a page must not be able to forge them.
const RESERVED = new Set(
  (
    'sourceURL url statusCode error scrapeId contentType numPages totalPages proxyUsed cacheState cachedAt creditsUsed ' +
    'timezone postprocessorsUsed indexId concurrencyLimited concurrencyQueueDurationMs sourceFile attempts'
  ).split(' '),
);

export function pageMetadata(tree: HtmlTree, urls: PageUrls): PageMetadata {
  const raw = new Map<string, string[]>();
  const found: PageMetadata = {};
  let title = '';
  let heading = '';
  let icon: { url: string; rank: number } | undefined;

  for (let node = 1; node < tree.size; node++) {
    switch (tree.tag[node]) {
      case TAG.html: {
        const language = (tree.attribute(node, 'lang') ?? tree.attribute(node, 'xml:lang') ?? '').trim();
        if (language !== '') found.language ??= language.slice(0, MAX_KEY);
        break;
      }
      case TAG.title:
        // The titles inside an svg are not the page's.
        if (title === '' && !insideSvg(tree, node)) title = textOf(tree, node);
        break;
      case TAG.h1:
        if (heading === '') heading = textOf(tree, node);
        break;
      case TAG.meta:
        readMeta(tree, node, raw);
        break;
      case TAG.link: {
        const candidate = iconOf(tree, node, urls);
        if (candidate && candidate.rank > (icon?.rank ?? -1)) icon = candidate;
        break;
      }
    }
  }
  title = title || raw.get('og:title')?.[0] || heading;
  if (title !== '') found.title = title.slice(0, MAX_VALUE);
  if (icon) found.favicon = icon.url;
  return addMeta(found, raw);
}

function readMeta(tree: HtmlTree, node: number, raw: Map<string, string[]>): void {
  const content = tree.attribute(node, 'content')?.trim().slice(0, MAX_VALUE);
  if (!content) return;
  // One tag may have the same value under two names.
  const names = ['name', 'property', 'itemprop'].map((kind) => tree.attribute(node, kind)?.trim());
  for (const given of new Set(names)) {
    const name = given !== undefined && IN_LOWER_CASE.test(given) ? given.toLowerCase() : given;
    if (!name || name.length > MAX_KEY || FORBIDDEN.has(name) || RESERVED.has(name)) continue;
    const values = raw.get(name);
    if (!values && raw.size < MAX_KEYS) raw.set(name, [content]);
    else if (values && values.length < MAX_VALUES) values.push(content);
  }
}

function addMeta(found: PageMetadata, raw: Map<string, string[]>): PageMetadata {
  const metadata: PageMetadata = { ...found };
  for (const [name, values] of raw) {
    if (name === 'description' || name === 'keywords') {
      metadata[name] = values.join(', ').slice(0, MAX_VALUE);
      continue;
    }
    const lower = name.toLowerCase();
    if (lower === 'og:locale:alternate') metadata.ogLocaleAlternate ??= values;
    const usual = USUAL.get(lower);
    if (usual !== undefined) metadata[usual] ??= values[0]!;
    // A raw name never replaces a value that is set already.
    if (!Object.hasOwn(metadata, name)) metadata[name] = values.length === 1 ? values[0]! : values;
  }
  return metadata;
}

/** Applies the same limits to the metadata of a file. */
export function boundedMetadata(said: PageMetadata): PageMetadata {
  const metadata: PageMetadata = {};
  for (const [name, value] of Object.entries(said).slice(0, MAX_KEYS)) {
    if (name.length > MAX_KEY || FORBIDDEN.has(name) || RESERVED.has(name) || value.length === 0) continue;
    metadata[name] =
      typeof value === 'string'
        ? value.slice(0, MAX_VALUE)
        : value.slice(0, MAX_VALUES).map((item) => item.slice(0, MAX_VALUE));
  }
  return metadata;
}

/** The higher rank wins: declared icons before touch icons. */
function iconOf(tree: HtmlTree, node: number, urls: PageUrls): { url: string; rank: number } | undefined {
  const rel = (tree.attribute(node, 'rel') ?? '').toLowerCase().split(/\s+/);
  const rank = rel.includes('icon') ? 2 : rel.includes('apple-touch-icon') ? 1 : 0;
  const url = rank === 0 ? undefined : urls.resolve(tree.attribute(node, 'href'));
  return url === undefined || url.startsWith('data:') ? undefined : { url, rank };
}

function insideSvg(tree: HtmlTree, node: number): boolean {
  for (let above = tree.parent[node]!; above > 0; above = tree.parent[above]!) {
    if (tree.tag[above] === TAG.svg) return true;
  }
  return false;
}

function textOf(tree: HtmlTree, node: number): string {
  let text = '';
  for (let at = node + 1; at < tree.end[node]! && text.length < MAX_VALUE; at++) {
    if (tree.kind[at] === TEXT) text += tree.text(at);
    else if (tree.tag[at] === TAG.br || isBlock(tree.tag[at]!)) text += ' ';
  }
  return text.replace(/\s+/g, ' ').trim();
}
