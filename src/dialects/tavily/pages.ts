// A page as extractions and crawls answer it.
import type { ReadDocument } from '../shared/read-pages.ts';
import { faviconOf, passagesOf, TEXT_IS_MARKDOWN } from './answers.ts';

export interface PageFields {
  /** Only the passages that fit this, and how many. */
  passages?: string | undefined;
  chunks_per_source?: number | undefined;
  include_images: boolean;
  include_favicon: boolean;
  format: 'markdown' | 'text';
}

export const pageFormats = ({ passages, include_images }: PageFields): unknown[] => [
  'markdown',
  ...(passages === undefined ? [] : [{ type: 'highlights', query: passages }]),
  ...(include_images ? ['images'] : []),
];

const DEFAULT_PASSAGES = 3;

/** Without a passage that fits, its whole text. */
export function pageOf(url: string, page: ReadDocument, fields: PageFields): object {
  const { markdown, highlights, images = [], metadata } = page;
  const { title } = metadata;
  const { passages, chunks_per_source: count = DEFAULT_PASSAGES } = fields;
  const chosen = passages && passagesOf(highlights, passages, count);
  return {
    url,
    ...(typeof title === 'string' && { title }),
    raw_content: (chosen || markdown) ?? '',
    images: fields.include_images ? images : [],
    ...faviconOf(fields, metadata),
  };
}

export const notServed = ({ format }: Pick<PageFields, 'format'>): string | undefined =>
  format === 'text' ? TEXT_IS_MARKDOWN : undefined;
