// The pages of a site as llms.txt: a list of links with notes, in sections, and the full text of all pages. What a page says of
// itself never becomes a line or a link of its own. Reads a line of such a list, too.
import { bareText } from './markdown-text.ts';
import { eachSentence } from './passages/sentences.ts';

/** A document of the API, of which only this much matters. */
export interface LlmsDocument {
  markdown?: string | null | undefined;
  metadata: { url?: string; sourceURL?: string; title?: unknown; description?: unknown; statusCode?: number };
}

export interface LlmsPage {
  url: string;
  title: string;
  /** `[title](url)` */
  link: string;
  note: string;
  /** It has hardly any text. */
  isThin: boolean;
}

const THIN_CHARACTERS = 200;

/** Undefined for an error of the site, and for a document whose content is lost. */
export function llmsPage({ metadata, markdown }: LlmsDocument): LlmsPage | undefined {
  const url = metadata.url ?? metadata.sourceURL;
  if (url === undefined || (metadata.statusCode ?? 200) >= 400) return undefined;
  const title = oneLine(metadata.title) || url;
  return {
    ...{ url, title },
    link: `[${title.replace(/[[\]\\]/g, '\\$&')}](${url.replace(/[()\s]/g, encodeSign)})`,
    note: oneLine(metadata.description) || firstSentence(markdown ?? ''),
    isThin: (markdown ?? '').trim().length < THIN_CHARACTERS,
  };
}

/** llms.txt. */
export function writeLlmsText(pages: readonly LlmsPage[]): string {
  const thin = pages.filter(({ isThin }) => isThin);
  // Where most pages are short, short pages are the content.
  const optional = new Set(thin.length * 2 < pages.length ? thin : []);
  const lists = sectionsOf(pages.filter((page) => !optional.has(page)));
  if (optional.size > 0) lists.push({ name: 'Optional', pages: [...optional] });
  const written = lists.map(({ name, pages: listed }) => {
    const lines = listed.map(({ link, note }) => `- ${link}${note === '' ? '' : `: ${note}`}`);
    return [...(name === '' ? [] : [`## ${name}`, '']), ...lines].join('\n');
  });
  return `${[llmsTitle(pages), ...written].join('\n\n')}\n`;
}

/** The first line: the title of the page with the shortest address. */
export const llmsTitle = (pages: readonly LlmsPage[]): string =>
  `# ${pages.reduce((home, page) => (page.url.length < home.url.length ? page : home)).title}`;

/** A link of such a list. */
interface LlmsLink {
  name: string;
  url: string;
  /** '' if there is none. */
  note: string;
}

/** Brackets and parentheses may be nested once, as they are in titles and in addresses of encyclopedias. */
const LINE =
  /^\s*[-*+]\s+\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*((?:[^()\s]|\([^()\s]*\))+)(?:\s+"[^"]*")?\s*\)(.*)$/s;

/** Undefined for a line that is no link of the list. */
export function readLlmsLine(line: string): LlmsLink | undefined {
  const [, name, url, rest] = LINE.exec(line) ?? [];
  if (name === undefined || url === undefined || rest === undefined) return undefined;
  return { name: bareLine(name), url: url.replace(/^<(.*)>$/, '$1'), note: bareLine(rest.replace(/^\s*:/, '')) };
}

const bareLine = (text: string): string => oneLine(bareText(text.slice(0, 2 * MAX_NOTE)));

/** A page in the full text. */
export const llmsSection = ({ link }: LlmsPage, markdown: string | null | undefined): string =>
  `## ${link}\n\n${markdown ?? ''}`;

interface Section {
  /** '' for pages in front of all sections. */
  name: string;
  pages: LlmsPage[];
}

/** By the first part of the path, in the order in which the crawl found them. One page is no section. */
function sectionsOf(pages: readonly LlmsPage[]): Section[] {
  const byPart = new Map<string, LlmsPage[]>();
  for (const page of pages) {
    const part = partsOf(page.url)[0] ?? '';
    const listed = byPart.get(part);
    if (listed) listed.push(page);
    else byPart.set(part, [page]);
  }
  const sections = [...byPart].filter(([part, { length }]) => part !== '' && length > 1);
  if (sections.length < 2) return pages.length > 0 ? [{ name: '', pages: [...pages] }] : [];
  const inSection = new Set(sections.map(([part]) => part));
  const front = pages.filter(({ url }) => !inSection.has(partsOf(url)[0] ?? ''));
  return [
    ...(front.length > 0 ? [{ name: '', pages: front }] : []),
    ...sections.map(([part, listed]) => ({ name: nameOf(part, listed), pages: listed })),
  ];
}

/** The title of the page that the section is below of, else its part of the path in words. */
function nameOf(part: string, pages: readonly LlmsPage[]): string {
  const front = pages.find(({ url, title }) => partsOf(url).length === 1 && title !== url);
  const words = front?.title ?? oneLine(part.replace(/[-_+]+/g, ' '));
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function partsOf(url: string): string[] {
  const path = URL.parse(url)?.pathname ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return parts;
  }
}

const encodeSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`;

const MAX_NOTE = 500;

/** Meta tags that a page has twice arrive as lists. */
function oneLine(value: unknown): string {
  const text = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text.slice(0, MAX_NOTE).toWellFormed().replace(/\s+/g, ' ').trim() : '';
}

/** The sentence is looked for in the beginning of the page. */
const BEGINNING = 10_000;
const NO_PROSE = /^\s*(?:#|\||>|[-*+] |\d+\. |```|~~~|!\[)/;
const WHOLE = /[.!?。！？]["'”’»)\]]*$/;

function firstSentence(markdown: string): string {
  for (const line of markdown.slice(0, BEGINNING).split('\n')) {
    if (NO_PROSE.test(line)) continue;
    const text = bareText(line);
    const sentences: string[] = [];
    eachSentence(text, (start, end) => sentences.push(text.slice(start, end)));
    const first = sentences.find((sentence) => WHOLE.test(sentence));
    if (first !== undefined) return oneLine(first);
  }
  return '';
}
