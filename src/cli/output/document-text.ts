// A Document as text for people, and the files that it names.

import { formatsWhere } from '../../contracts/formats/format-traits.ts';
import type { Document } from '../../contracts/scrape/document.ts';

/** A file that a format gave: a link to the service, or the content itself in base64. */
export interface NamedFile {
  /** `screenshot`, `action-2`. */
  name: string;
  link?: string;
  base64?: string;
}

type Fields = Partial<Document>;

/** Formats that give a file. */
export const FILE_FORMATS = formatsWhere(({ content }) => content === 'file' || content === 'base64');
/** Not content: facts about the page, and files. */
const NOT_TEXT = new Set<string>(['metadata', 'warning', 'actions', ...FILE_FORMATS]);
const FILE_FIELDS = formatsWhere(({ content }) => content === 'file') as ('screenshot' | 'audio' | 'video')[];

export function documentText(document: Fields): string {
  const { scrapes, javascriptReturns } = document.actions ?? {};
  const fields = { ...document, scrapes, javascriptReturns };
  const texts = Object.entries(fields)
    .filter(([name, value]) => !NOT_TEXT.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => ({ name, text: textOf(value) }));
  const [first, ...rest] = texts;
  if (!first) return '';
  if (rest.length === 0) return first.text;
  // Markdown is the page itself; what was made from it follows below headings.
  return texts.map(({ name, text }) => (name === 'markdown' ? text : `## ${name}\n\n${text}`)).join('\n\n');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('\n');
  return JSON.stringify(value, null, 2);
}

export function filesOf({ rawBase64, actions = {}, ...document }: Fields): NamedFile[] {
  const links = [...(actions.screenshots ?? []), ...(actions.pdfs ?? [])];
  return [
    ...FILE_FIELDS.flatMap((name) => (document[name] ? [{ name, link: document[name] }] : [])),
    ...links.map((link, index) => ({ name: `action-${index + 1}`, link })),
    ...(rawBase64 === undefined ? [] : [{ name: 'file', base64: rawBase64 }]),
  ];
}

/** Why the page is not what was asked for; undefined if it is. */
export function problemOf({ metadata }: Fields): string | undefined {
  if (!metadata) return undefined;
  const { sourceURL, url, statusCode, error, verdict } = metadata;
  const page = sourceURL ?? url;
  if (verdict !== undefined) return `${page}: ${error ?? verdict}`;
  return statusCode >= 400 ? `${page} answered with the status ${statusCode}${error ? ` (${error})` : ''}.` : undefined;
}
