// trawl://scrape/{id}: the Markdown of a scrape, or another format of it.

import { formatsWhere, keyOf } from '../../contracts/formats/format-traits.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import type { ResourceKind, ResourceText } from '../resource.ts';
import { recentIds } from './recent.ts';
import { noSuchResource, readPosition, textPart } from './text-part.ts';
import { scrapeUri } from './uris.ts';

const TYPES: Readonly<Record<string, string>> = { markdown: 'text/markdown', html: 'text/html', rawHtml: 'text/html' };
const READABLE = [...new Set(formatsWhere(({ content }) => content !== 'file' && content !== 'base64').map(keyOf))];

export const scrape: ResourceKind = {
  name: 'scrape',
  title: 'A scraped page',
  description:
    'The Markdown of a page that was scraped, also by a crawl, a batch or a search, for 24 hours. `format` reads another format of the same scrape; `offset` reads on.',
  template: 'trawl://scrape/{id}{?format,offset}',
  values: { id: recentIds('scrape'), format: async () => READABLE },
  async read({ id = '', format, offset }, { api, signal, maxAnswer }) {
    const start = readPosition('offset', offset);
    const { data } = await api.call('getScrape', { params: { id }, signal });
    const { text, mimeType } = contentOf(data as Document, format);
    const uriAt = (next: number) => scrapeUri(id, { ...(format !== undefined && { format }), offset: next });
    return [{ uri: uriAt(start), mimeType, text: textPart(text, { offset: start, max: maxAnswer, uriAt }) }];
  },
};

/** Without a format: the Markdown, or everything if the page has no Markdown. */
export function contentOf(document: Document, format?: string): Omit<ResourceText, 'uri'> {
  const name = format ?? 'markdown';
  const content = (document as Record<string, unknown>)[name];
  if (content === undefined && format !== undefined) {
    const formats = Object.keys(document).filter((key) => key !== 'metadata' && key !== 'warning');
    throw noSuchResource(`The scrape has no ${format}. It has: ${formats.join(', ') || 'no content'}.`);
  }
  if (typeof content === 'string') return { text: content, mimeType: TYPES[name] ?? 'text/plain' };
  return { text: JSON.stringify(content ?? document, null, 1), mimeType: 'application/json' };
}
