// Results of a search as Markdown.
import type { Document } from '../../contracts/scrape/document.ts';
import { documentText } from './document-text.ts';
import { safeLine } from './safe-text.ts';

export interface FoundItem extends Partial<Omit<Document, 'metadata'>> {
  metadata?: Partial<Document['metadata']>;
  url: string;
  title: string;
  /** Results of the web have it, those of news a `snippet`. */
  description?: string;
  snippet?: string;
  date?: string;
  imageUrl?: string;
}

/** What describes a result; everything else is what was scraped. */
const ABOUT = ['url', 'title', 'description', 'snippet', 'date', 'imageUrl', 'imageWidth', 'imageHeight', 'position'];
const MORE_ABOUT = ['category', 'tlsVerified', 'explain', 'metadata'];
const NOT_SCRAPED = new Set([...ABOUT, ...MORE_ABOUT]);

export const resultList = (items: readonly FoundItem[]): string => {
  const hasContent = items.some((item) => contentOf(item) !== '');
  return items.map((item, index) => entry(item, index + 1, hasContent)).join(hasContent ? '\n\n' : '\n');
};

function entry(item: FoundItem, number: number, hasContent: boolean): string {
  const { url, description, snippet, date, imageUrl } = item;
  const about = [date, description ?? snippet, imageUrl].filter((text) => text !== undefined && text !== '');
  const text = safeLine(about.join(' · '));
  const link = `[${safeLine(item.title).replaceAll(/[[\]]/g, '\\$&') || url}](${url})`;
  if (!hasContent) return `${number}. ${link}${text === '' ? '' : `\n   ${text}`}`;
  return [`## ${number}. ${link}`, text, contentOf(item)].filter((part) => part !== '').join('\n\n');
}

const contentOf = (item: FoundItem): string => documentText(scraped(item));

const scraped = (item: FoundItem): Partial<Document> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !NOT_SCRAPED.has(name)));

/** A result as a page of its own: what was scraped of it, else what the search says about it. */
export function resultPage(item: FoundItem): Document {
  const { url, title, metadata } = item;
  const markdown = entry(item, 1, false).slice('1. '.length);
  const content = contentOf(item) === '' ? { markdown } : scraped(item);
  return {
    ...content,
    metadata: { title, ...metadata, sourceURL: url, url: metadata?.url ?? url } as Document['metadata'],
  };
}
