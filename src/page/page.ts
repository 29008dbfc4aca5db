// The types that pass between the stages: the fetched page, the request to the transform, and its outcome.

import type { FormatOf } from '../contracts/formats/format-traits.ts';
import type { Document } from '../contracts/scrape/document.ts';
import type { OptionsWith, PassedOptions } from '../contracts/scrape/option-traits.ts';
import type { ScrapeOptions } from '../contracts/scrape/scrape-options.ts';
import type { Captures } from './captures.ts';
import type { IndexEntry } from './index-entry.ts';
import type { MediaCandidate } from './media.ts';
import type { PageBlocks, PageMarkdown, ParsedFile, ParsedFileFacts, PdfOptions } from './parsed.ts';
import type { SitePrograms } from './selector-programs.ts';
import type { PageSite } from './site-memory.ts';
import type { SniffedHead } from './sniffed-head.ts';
import type { StructuredData } from './structured-data.ts';
import type { CarriedSource, PageSource, SelectedValues, SourceNeeds } from './understanding.ts';

/** `chrome-http` is plain HTTP whose TLS and HTTP/2 look like Chrome's. */
export type EngineName = 'http' | 'chrome-http' | 'browser' | 'manual' | 'upload';
export type ProxyClass = 'basic' | 'enhanced';

/** What an engine returns: the bytes and how they were fetched, uninterpreted. */
export interface Fetched {
  requestedUrl: string;
  finalUrl: string;
  status: number;
  headers: Record<string, string>;
  /** The declared type as sent, which may be empty or wrong. */
  contentType: string;
  bytes: Uint8Array;
  fetchedAt: number;
  engine: EngineName;
  proxyClass: ProxyClass;
  /** No connection on the way to the page had an invalid certificate. Absent if one had, or if that is unknown. */
  isVerified?: true;
  /** Screenshots and other results of a browser. */
  captures?: Captures;
}

/** One way in which a page was tried. */
export interface AttemptRecord {
  engine: EngineName;
  proxyClass: ProxyClass;
  /** `ok`, or why the next way was tried. */
  outcome: string;
  ms: number;
}

export type PageHeader = Omit<Fetched, 'bytes' | 'captures'>;

/** The options that change what a site sends. */
export type PageVariant = Omit<Pick<ScrapeOptions, OptionsWith<{ isVariant: true }>>, 'proxy'> & { proxy: ProxyClass };

export interface AttributeSelector {
  selector: string;
  attribute: string;
}

/** Everything besides the bytes that affects the outcome; its hash is the transform key. */
export interface TransformOptions extends PassedOptions<'transform'> {
  formats: TransformFormat[];
  /** How much is remembered of the site, where that matters. Absent: nothing. */
  siteLevel?: number;
  attributes?: AttributeSelector[];
  /** Options for PDFs other than the defaults; null returns the file unread, as base64. */
  pdf?: PdfOptions | null;
}

export type TransformFormat = FormatOf<'transform'>;
type TransformedContent = { [Type in TransformFormat]?: NonNullable<Document[Type]> };

export interface TransformRequest {
  page: Pick<Fetched, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes'> & {
    fetchedAt?: number;
    /** What the first of the bytes say. Absent: the transform looks at them itself. */
    head?: SniffedHead;
  };
  options: TransformOptions;
  /** The result of the parser, if the bytes are a file that needs one. */
  parsedFile?: { facts: ParsedFileFacts; parsed: ParsedFile };
  /** Markdown and HTML are replaced by the bytes in base64. */
  asBase64?: true;
  /** Whether to make an index entry too, which needs `fetchedAt`. */
  index?: boolean;
  /** Whether to look for audio and video too. */
  media?: boolean;
  /** What is remembered of the site of the page. */
  site?: PageSite;
  /** Programs that may select values from the page. */
  programs?: SitePrograms;
  /** Whether to say what was left out as template. */
  explains?: boolean;
  /** What formats need that are made from the result. */
  source?: SourceNeeds;
}

export interface AttributeValues extends AttributeSelector {
  values: string[];
}

/** A key is present only if its format was requested. */
export interface PageContent extends TransformedContent {
  pages?: PageMarkdown[];
  blocks?: PageBlocks[];
}

export type PageMetadata = Record<string, string | string[]>;

export interface TransformOutcome {
  content: PageContent;
  metadata: PageMetadata;
  verdict: Verdict;
  /** Sentences for the caller about what was cut or could not be done. */
  warnings: string[];
  /** Expected quality of the main content, 0 to 1; only if it was extracted. */
  quality?: number;
  /** How many other pages of the site informed the choice of the main content, if any did. */
  siblings?: number;
  discovered: Discovered;
  /** If the page is a file that a parser has read. */
  document?: ParsedFileFacts;
  /** If requested and the page is content; not part of the stored result. */
  entry?: IndexEntry;
  /** The hashes of its texts, if the page has an index entry: for the memory of the site. */
  texts?: Uint32Array;
  /** If requested: the first texts that were left out and stand on other pages of the site. */
  template?: string[];
  /** If requested; most likely first. */
  media?: MediaCandidate[];
  /** If the source needs them; the pipeline puts them there. */
  data?: StructuredData;
  cleanMarkdown?: string;
  repeated?: string[];
  pageStarts?: number[];
  selected?: SelectedValues[];
  /** If requested; not part of the stored result. */
  source?: PageSource;
}

/** An outcome as it leaves the transform, with the content serialised as it is stored and sent. */
export interface TransformResult
  extends Omit<
    TransformOutcome,
    'content' | 'entry' | 'data' | 'cleanMarkdown' | 'repeated' | 'pageStarts' | 'selected' | 'source'
  > {
  /** The JSON of a PageContent, in UTF-8. */
  content: Uint8Array;
  /** The JSON of an IndexEntry, in UTF-8. */
  entry?: Uint8Array;
  source?: CarriedSource;
}

/** What a crawl needs from the whole page, regardless of the requested formats. */
export interface Discovered {
  /** Absolute http(s) URLs without fragments and duplicates, in document order. */
  links: string[];
  /** Links to the next page of the same list (rel=next). */
  next: string[];
  /** The canonical URL that the page declares. */
  canonical?: string;
  /** Links or images whose URLs carry credentials: the page may have been made for the team that fetched it. */
  hasSecretUrls?: true;
  fingerprint: TextFingerprint;
}

/** Three 64-bit hashes of the text of a page, as 16 hex digits each. */
export interface TextFingerprint {
  /** Hash of all words in order: equal only for the same text. */
  exact: string;
  /** Hash of the distinct words with dates, times and ids folded: equal for the months of an empty calendar. */
  gist: string;
  /** SimHash of the folded words: texts with mostly the same words differ in few bits. */
  simhash: string;
}

/** Whether this is the requested page, or something else in its place. */
export type VerdictKind = 'content' | 'challenge' | 'login-wall' | 'empty-shell' | 'soft-404' | 'parked';

export interface Verdict {
  kind: VerdictKind;
  /** One sentence for the caller; empty for content. */
  reason: string;
  /** Hardly any text, and scripts that may add more: worth rendering in a browser. */
  isThin?: true;
}
