// A page as terms: weighted counts for the ranking, and the same terms in order for questions about phrases and places.
import type { EntryImage } from '../../contracts/index-entry.ts';
import { eachTerm } from '../../text/terms.ts';
import { unescaped, urlWords } from './addresses.ts';
import type { NewDocument } from './postings.ts';

/** How much one occurrence counts. Headings stand in the body too: this is what they count beyond that. */
const WEIGHTS = { title: 3, url: 1, headings: 1, body: 1, anchors: 2, image: 2 } as const;
const MAX_COUNT = 255;

/** Terms of pictures are terms of their page, told from its own by a sign that no word has. */
const IMAGE_MARK = '\ue000';
const SIZE_MARK = '\ue001';

export interface Analysable {
  url: string;
  title: string;
  description: string;
  headings: string;
  body: string;
  language: string;
  images: readonly EntryImage[];
}

/** The columns of the table `fts`, terms joined by spaces. Headings are part of the body there. */
export interface Fields {
  title: string;
  url: string;
  body: string;
}

export interface Analysis extends Omit<NewDocument, 'number'> {
  terms: Map<string, number>;
  fields: Fields;
}

export const imageTerm = (term: string): string => IMAGE_MARK + term;
export const sizeTerm = (width: number, height: number): string => `${SIZE_MARK}${width}x${height}`;

export function analyse(page: Analysable): Analysis {
  const terms = new Map<string, number>();
  const words = urlWords(new URL(page.url)).join(' ');
  const title = addTerms(terms, page.title, page.language, WEIGHTS.title);
  const headings = addTerms(terms, page.headings, page.language, WEIGHTS.headings);
  const body = addTerms(terms, ownText(page), page.language, WEIGHTS.body);
  const isInBody = page.headings === '' || page.headings.split('\n').every((line) => page.body.includes(line));
  const url = addTerms(terms, words, page.language, WEIGHTS.url);
  addImageTerms(terms, page);
  return {
    terms,
    length: title.length + headings.length + body.length + url.length,
    // The words of the address as they stand: people ask for their beginnings.
    fields: { title: title.join(' '), url: words, body: (isInBody ? body : [...body, ...headings]).join(' ') },
  };
}

/** Adds the words of links that lead to the page, each text once. */
export function addAnchors(analysis: Analysis, texts: readonly string[], language: string): void {
  if (texts.length > 0) {
    analysis.length += addTerms(analysis.terms, texts.join('\n'), language, WEIGHTS.anchors).length;
  }
}

/** Returns the terms of the text in order. */
function addTerms(terms: Map<string, number>, text: string, language: string, weight: number): string[] {
  const found: string[] = [];
  if (text === '') return found;
  eachTerm(text, language, (term) => {
    found.push(term);
    const counted = terms.get(term);
    terms.set(term, counted === undefined ? weight : Math.min(MAX_COUNT, counted + weight));
  });
  return found;
}

/** A page's words about itself are often the first of its text, and must not count twice then. */
function ownText({ description, body }: Analysable): string {
  return description === '' || body.includes(description) ? body : `${body}\n${description}`;
}

function addImageTerms(terms: Map<string, number>, { images, title, language }: Analysable): void {
  if (images.length === 0) return;
  const add = (text: string, weight: number) =>
    eachTerm(text, language, (term) => {
      const marked = imageTerm(term);
      terms.set(marked, Math.max(terms.get(marked) ?? 0, weight));
    });
  add(title, 1);
  for (const image of images) {
    add(imageText(image), WEIGHTS.image);
    if (image.width && image.height) terms.set(sizeTerm(image.width, image.height), 1);
  }
}

/** What is said of a picture: its own texts and the name of its file. */
export const imageText = ({ alt, caption, url }: EntryImage): string => `${alt}\n${caption}\n${fileName(url)}`;

function fileName(url: string): string {
  if (!/^https?:/.test(url)) return '';
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const name = unescaped(path.slice(path.lastIndexOf('/') + 1));
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
