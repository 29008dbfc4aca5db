// A page as a document of OpenSearch, and back.

import type { EntryImage } from '../../../page/index-entry.ts';
import type { PageOwner } from '../../../page/page-owner.ts';
import { sha256 } from '../../../util/hash.ts';
import { IMAGE_MARKS, joinedTerms, type PageAnalyser, type PageAnalysis } from '../../ingest/analyse-page.ts';
import type { PreparedPage } from '../../ingest/prepare-change.ts';
import type { InboundLinks, StoredLink } from '../../pages/link-graph.ts';
import { IS_FRONT_PAGE, IS_NEWS, type PageFacts } from '../../pages/page-facts.ts';
import { kindOf } from '../../pages/page-kind.ts';
import type { IndexedPageRecord, IndexedText, ShownTexts } from '../../pages/page-rows.ts';
import { siteLabel } from '../../pages/url-features.ts';
import { linkHash, urlKey } from '../../pages/url-key.ts';
import { lastMoment } from '../../query/column-filter.ts';
import { languageOf, localeCountries, staticRank } from '../../ranking/ranking-signals.ts';
import { packWeights, type TermWeights, unpackWeights } from './term-weights.ts';

/** Raises static ranks above zero. */
export const RANK_BASE = 1;
/** Longer terms are cut, with a hash that tells them apart: OpenSearch would split them. */
const LONGEST_TERM = 200;

/** What every search reads of a candidate. */
export interface PageCard {
  facts: Omit<PageFacts, 'id'>;
  texts: Omit<ShownTexts, 'id'>;
  /** Number of terms, anchor texts included. */
  length: number;
}

/** What only the best candidates are read for. */
export interface FullContent extends IndexedText {
  images: readonly EntryImage[];
  links: readonly StoredLink[];
  anchors: readonly string[];
}

export interface PageCandidate extends PageCard {
  id: string;
  change: number;
  weights: TermWeights;
}

export const pageId = (owner: PageOwner, url: string): string => sha256(`${owner}\n${url}`).slice(0, 32);
export const vectorId = (page: string): string => `vector-${page}`;
export const linkId = (hash: number): string => `link-${hash}`;
export const hashOfLink = (host: string, [target, text]: StoredLink): number => linkHash(target, urlKey(host), text);

export const indexedTerm = (term: string): string =>
  term.length <= LONGEST_TERM ? term : `${term.slice(0, LONGEST_TERM - 32)}${sha256(term).slice(0, 32)}`;

/** The document of a page, with what links say about it. */
export function withLinks(
  analyser: PageAnalyser,
  { page, analysis }: PreparedPage,
  { texts, hosts }: InboundLinks,
  change: number,
): object {
  const facts = { ...page.facts, inlinks: hosts, anchors: texts.length };
  const whole = analyser.withAnchors(analysis, texts, page.texts.language);
  return toDocument({ ...page, facts }, whole, change, texts);
}

/** `anchors` are the texts of links that are indexed with the page; `analysis` includes them. */
function toDocument(page: IndexedPageRecord, analysis: PageAnalysis, change: number, anchors: readonly string[]) {
  const { id: _, ...facts } = page.facts;
  const { id: __, ...texts } = page.texts;
  const { vocabulary, order, urlWords, terms, length } = analysis;
  const { headings, body } = page.content;
  const content: FullContent = { headings, body, images: page.images, links: page.links, anchors };
  return {
    kind: 'page',
    change,
    ...factFields(facts),
    length,
    title: joinedTerms(vocabulary, order.title),
    url: urlWords,
    body: joinedTerms(vocabulary, order.body),
    ...weightedTerms(terms),
    weights: packWeights(terms),
    card: Buffer.from(JSON.stringify({ facts, texts, length } satisfies PageCard)).toString('base64'),
    links: page.links.map((link) => hashOfLink(facts.host, link)),
    content,
  };
}

function factFields(facts: Omit<PageFacts, 'id'>) {
  const { owner, key, host, date, locale, type, flags, verified, quality, images, inlinks } = facts;
  return {
    ...{ owner, key, host, date, images },
    domains: domainsOf(host),
    siteName: siteLabel(host),
    lastMoment: lastMoment(date),
    language: languageOf(locale),
    countries: localeCountries(locale),
    types: type.split(','),
    pageKind: kindOf(type, flags),
    isNews: (flags & IS_NEWS) !== 0,
    isFrontPage: (flags & IS_FRONT_PAGE) !== 0,
    isVerified: verified === 1,
    rank: RANK_BASE + staticRank(quality, inlinks, flags),
  };
}

/** `a.b.example` lies within itself, `b.example` and `example`. */
export function domainsOf(host: string): string[] {
  const domains = [host];
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) domains.push(host.slice(dot + 1));
  return domains;
}

function weightedTerms({ vocabulary, termIds, weights }: PageAnalysis['terms']) {
  const words: string[] = [];
  const imageWords: string[] = [];
  for (let at = 0; at < termIds.length; at += 1) {
    const term = vocabulary[termIds[at]!]!;
    (isImageTerm(term) ? imageWords : words).push(`${indexedTerm(term)}|${weights[at]}`);
  }
  return { words: words.join(' '), imageWords: imageWords.join(' ') };
}

const isImageTerm = (term: string): boolean => IMAGE_MARKS.includes(term[0]!);
export const wordField = (term: string): 'words' | 'imageWords' => (isImageTerm(term) ? 'imageWords' : 'words');

export const CANDIDATE_FIELDS = ['card', 'weights', 'change'];

export function readCandidate(fields: Record<string, unknown[]>): PageCandidate {
  const card = readCard(fields.card![0] as string);
  const id = pageId(card.facts.owner, card.texts.url);
  return { ...card, id, change: fields.change![0] as number, weights: unpackWeights(fields.weights![0] as string) };
}

export const readCard = (card: string): PageCard => JSON.parse(Buffer.from(card, 'base64').toString()) as PageCard;

/** Documents have their content as it is. */
const NOT_PACKED = new Uint8Array(0);

/** The page as it was before it became a document, to be analysed again. */
export function toStoredPage({ facts, texts }: PageCard, content: FullContent): IndexedPageRecord {
  const { images, links, headings, body } = content;
  return {
    facts: { ...facts, id: 0 },
    texts: { ...texts, id: 0 },
    ...{ content: { headings, body }, images, links },
    packed: NOT_PACKED,
  };
}
