// Documents that are text but not HTML: the same formats, each as sensible as the kind allows.
import type { PageContent, PageMetadata, TransformOptions, TransformOutcome } from '../../contracts/page.ts';
import type { TextKind } from '../kind.ts';
import { fenceFor } from '../markdown/escape.ts';
import { csvMarkdown } from './csv.ts';
import { readFeed } from './feed.ts';

const MAX_PRETTY = 1_000_000;
const MAX_LINKS = 10_000;

interface Rendered {
  markdown: string;
  links?: string[];
  metadata?: PageMetadata;
  warning?: string;
}

export function transformText(
  kind: TextKind,
  source: string,
  url: string,
  options: TransformOptions,
): TransformOutcome {
  const wants = new Set(options.formats);
  const rendered = render(kind, source, url, options);
  const content: PageContent = {};
  if (wants.has('markdown')) content.markdown = rendered.markdown;
  if (wants.has('html')) content.html = `<pre>${escapeHtml(source)}</pre>`;
  if (wants.has('rawHtml')) content.rawHtml = source;
  if (wants.has('links')) content.links = rendered.links ?? addressesIn(source);
  if (wants.has('images')) content.images = [];
  if (wants.has('attributes'))
    content.attributes = (options.attributes ?? []).map((wanted) => ({ ...wanted, values: [] }));
  return {
    content,
    metadata: rendered.metadata ?? {},
    verdict: { kind: 'content', reason: '' },
    warnings: rendered.warning === undefined ? [] : [rendered.warning],
  };
}

function render(kind: TextKind, source: string, url: string, options: TransformOptions): Rendered {
  switch (kind) {
    case 'json':
      return { markdown: fenced('json', prettyJson(source)) };
    case 'xml':
      return { markdown: fenced('xml', source) };
    case 'csv':
      return csvMarkdown(source);
    case 'feed':
      return readFeed(source, url) ?? { markdown: fenced('xml', source) };
    case 'markdown':
      return { markdown: options.removeBase64Images ? withoutBase64(lines(source)) : lines(source) };
    default:
      return { markdown: lines(source) };
  }
}

const lines = (source: string): string => source.replace(/\r\n?/g, '\n').trim();

function fenced(language: string, source: string): string {
  const text = lines(source);
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

function prettyJson(source: string): string {
  if (source.length > MAX_PRETTY) return source;
  try {
    return JSON.stringify(JSON.parse(source), null, 2);
  } catch {
    // Several values a line, comments, or broken: shown as it is.
    return source;
  }
}

const withoutBase64 = (markdown: string): string =>
  markdown.replace(/(!\[[^\]]{0,1000}\])\(data:image\/[^)\s]+\)/g, '$1(<Base64-Image-Removed>)');

function addressesIn(source: string): string[] {
  const found = new Set<string>();
  for (const [match] of source.matchAll(/https?:\/\/[^\s"'<>\\)\]}]{1,2000}/g)) {
    const url = URL.parse(match.replace(/[.,;:!?]+$/, ''));
    if (url) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
