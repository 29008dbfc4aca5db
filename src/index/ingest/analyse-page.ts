// Turns a page into terms: weighted counts for ranking, and the terms in order for phrase and field queries.
import type { EntryImage } from '../../page/index-entry.ts';
import { currentVocabulary } from '../../text/words/terms.ts';
import type { Vocabulary } from '../../text/words/vocabulary.ts';
import { percentDecoded, urlWords } from '../pages/url-features.ts';
import { FIELD_WEIGHTS, IMAGE_TERM_WEIGHTS } from '../ranking/ranking-weights.ts';
import type { DocTerms } from '../segments/inverted-index.ts';
import { TermCounter } from './term-counter.ts';

export type PageField = keyof typeof FIELD_WEIGHTS;

/** Image terms are stored with the terms of their page, marked by a character that no word contains. */
const IMAGE_MARK = '\ue000';
const SIZE_MARK = '\ue001';
export const IMAGE_MARKS = [IMAGE_MARK, SIZE_MARK];

export interface AnalysablePage {
  url: string;
  title: string;
  description: string;
  headings: string;
  body: string;
  language: string;
  images: readonly EntryImage[];
}

/** The terms of a page's own texts in order, as numbers in the vocabulary. Headings are part of the body. */
export interface TermOrder {
  title: Uint32Array;
  body: Uint32Array;
}

export interface PageAnalysis extends Omit<DocTerms, 'docId'> {
  /** The vocabulary that `terms` and `order` refer to. */
  vocabulary: Vocabulary;
  order: TermOrder;
  /** The words of the URL, joined by spaces. They are not stemmed, because `inurl:` matches prefixes. */
  urlWords: string;
}

/** Terms as a text, joined by spaces. */
export const joinedTerms = ({ terms }: Vocabulary, order: Uint32Array): string =>
  Array.from(order, (termId) => terms[termId]!).join(' ');

export const imageTerm = (term: string): string => IMAGE_MARK + term;
export const sizeTerm = (width: number, height: number): string => `${SIZE_MARK}${width}x${height}`;

/** The terms of anchor texts, and their number. */
export type AnchorTerms = Omit<DocTerms, 'docId'>;

export interface PageAnalyser {
  analyse(page: AnalysablePage): PageAnalysis;
  /** Adds the texts of links to the page; each text counts once. */
  withAnchors(analysis: PageAnalysis, texts: readonly string[], language: string): PageAnalysis;
  /** What further anchor texts add to a page. */
  anchors(texts: readonly string[], language: string): AnchorTerms;
}

export function createPageAnalyser(): PageAnalyser {
  const counter = new TermCounter();
  return {
    analyse(page) {
      const vocabulary = currentVocabulary();
      counter.start(vocabulary, page.language);
      const texts = fieldTexts(page);
      const { url } = texts;
      const title = counter.add(texts.title, FIELD_WEIGHTS.title);
      const headings = counter.add(texts.headings, FIELD_WEIGHTS.headings);
      const body = counter.add(texts.body, FIELD_WEIGHTS.body);
      counter.add(url, FIELD_WEIGHTS.url);
      const { length } = counter;
      addImageTerms(counter, page);
      return {
        vocabulary,
        terms: counter.take(),
        length,
        order: { title, body: areInBody(page) ? body : joined(body, headings) },
        urlWords: url,
      };
    },
    withAnchors(analysis, texts, language) {
      if (texts.length === 0) return analysis;
      counter.start(analysis.vocabulary, language);
      counter.addCounted(analysis.terms);
      counter.add(texts.join('\n'), FIELD_WEIGHTS.anchors);
      return { ...analysis, terms: counter.take(), length: analysis.length + counter.length };
    },
    anchors(texts, language) {
      counter.start(currentVocabulary(), language);
      counter.add(texts.join('\n'), FIELD_WEIGHTS.anchors);
      return { terms: counter.take(), length: counter.length };
    },
  };
}

type FieldTexts = Record<Exclude<PageField, 'anchors'>, string>;

/** What is counted of each field. */
export const fieldTexts = (page: Omit<AnalysablePage, 'images' | 'language'>): FieldTexts => ({
  title: page.title,
  headings: page.headings,
  body: ownText(page),
  url: urlWords(new URL(page.url)).join(' '),
});

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  const both = new Uint32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

const areInBody = ({ headings, body }: Pick<AnalysablePage, 'headings' | 'body'>): boolean =>
  headings === '' || headings.split('\n').every((line) => body.includes(line));

/** The description often repeats the beginning of the body and must not count twice. */
function ownText({ description, body }: Pick<AnalysablePage, 'description' | 'body'>): string {
  return description === '' || body.includes(description) ? body : `${body}\n${description}`;
}

function addImageTerms(counter: TermCounter, { images, title }: AnalysablePage): void {
  if (images.length === 0) return;
  counter.raiseMarked(IMAGE_MARK, title, IMAGE_TERM_WEIGHTS.pageTitle);
  for (const image of images) {
    counter.raiseMarked(IMAGE_MARK, imageText(image), IMAGE_TERM_WEIGHTS.own);
    if (image.width && image.height) counter.raiseTerm(sizeTerm(image.width, image.height), 1);
  }
}

/** What describes an image: its own texts and its file name. */
export const imageText = ({ alt, caption, url }: EntryImage): string => `${alt}\n${caption}\n${fileName(url)}`;

function fileName(url: string): string {
  if (!/^https?:/.test(url)) return '';
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const name = percentDecoded(path.slice(path.lastIndexOf('/') + 1));
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
