// The shapes that pass between the stages: what was fetched, what is asked of the transform, what it gives back.
import type { Captures } from './captures.ts';
import type { IndexEntry } from './index-entry.ts';
import type { MediaCandidate } from './media.ts';
import type { PageBlocks, PageMarkdown, ParsedFile, ParsedFileFacts, PdfOptions } from './parsed.ts';

export type EngineName = 'http' | 'browser' | 'manual' | 'upload';
export type ProxyClass = 'basic' | 'enhanced';

/** What an engine brings home: bytes and how they came, nothing interpreted. */
export interface FetchedPage {
  requestedUrl: string;
  finalUrl: string;
  status: number;
  headers: Record<string, string>;
  /** The declared type, as sent (may be empty or wrong). */
  contentType: string;
  bytes: Uint8Array;
  fetchedAt: number;
  engine: EngineName;
  proxyClass: ProxyClass;
  /** What a browser made of it. */
  captures?: Captures;
}

export type PageHeader = Omit<FetchedPage, 'bytes' | 'captures'>;

export interface AttributeSelector {
  selector: string;
  attribute: string;
}

/** Everything that changes what the transform makes of the same bytes; its hash is the transform key. */
export interface TransformOptions {
  formats: TransformFormat[];
  attributes?: AttributeSelector[];
  onlyMainContent: boolean;
  includeTags: string[];
  excludeTags: string[];
  removeBase64Images: boolean;
  blockAds: boolean;
  /** What is asked of a PDF, where that is not the usual; null: it is given as it is, in base64. */
  pdf?: PdfOptions | null;
}

export type TransformFormat = 'markdown' | 'html' | 'rawHtml' | 'rawBase64' | 'links' | 'images' | 'attributes';

export interface TransformRequest {
  page: Pick<FetchedPage, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes'> & { fetchedAt?: number };
  options: TransformOptions;
  /** What a parser made of the bytes, when they are a document. */
  parsedFile?: { facts: ParsedFileFacts; parsed: ParsedFile };
  /** The bytes themselves stand for Markdown and HTML, in base64. */
  asBase64?: true;
  /** Whether an entry for the index is wanted as well. It needs to know when the page was fetched. */
  index?: boolean;
  /** Whether what the page offers to listen to and to watch is wanted as well. */
  media?: boolean;
}

export interface AttributeValues extends AttributeSelector {
  values: string[];
}

/** The requested content: a key is present only if its format was asked for. */
export interface PageContent {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  images?: string[];
  attributes?: AttributeValues[];
  rawBase64?: string;
  pages?: PageMarkdown[];
  blocks?: PageBlocks[];
}

export type PageMetadata = Record<string, string | string[]>;

export interface TransformOutcome {
  content: PageContent;
  metadata: PageMetadata;
  verdict: Verdict;
  /** Sentences for the caller: what was cut or could not be done. */
  warnings: string[];
  /** Expected quality of the main content, 0 to 1; absent where none was looked for. */
  quality?: number;
  discovered: Discovered;
  /** When the page is a document. */
  document?: ParsedFileFacts;
  /** When it was asked for and the page is content; no part of the stored result. */
  entry?: IndexEntry;
  /** When it was asked for; the most likely first. */
  media?: MediaCandidate[];
}

/** An outcome as it leaves the transform: the content is text already, in the form in which it is stored and sent. */
export interface PageOutcome extends Omit<TransformOutcome, 'content' | 'entry'> {
  /** The JSON of a PageContent, in UTF-8. */
  content: Uint8Array;
  /** The JSON of an IndexEntry, in UTF-8. */
  entry?: Uint8Array;
}

/** What a crawl wants to know of the whole page, whatever formats were asked for. */
export interface Discovered {
  /** Where the page leads: http(s), absolute, without fragment, each once, in document order. */
  links: string[];
  /** Those that call themselves the next part of the same list (rel=next). */
  next: string[];
  /** The address the page gives as its own. */
  canonical?: string;
  fingerprint: TextFingerprint;
}

/** The text of a page boiled down to three numbers of 64 bits, as 16 hex digits each. */
export interface TextFingerprint {
  /** Of all words as they stand: equal only for the same text. */
  exact: string;
  /** Of the distinct words with dates, times and ids folded: equal for the months of an empty calendar. */
  gist: string;
  /** SimHash of the folded words: texts that share most words differ in few bits. */
  simhash: string;
}

/** Is this what the caller asked for, or something that stands in its place? */
export type VerdictKind = 'content' | 'challenge' | 'login-wall' | 'empty-shell' | 'soft-404' | 'parked';

export interface Verdict {
  kind: VerdictKind;
  /** One sentence for people; empty for content. */
  reason: string;
  /** Hardly anything to read, and scripts that may bring more: worth a look with a browser. */
  isThin?: true;
}
