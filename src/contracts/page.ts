// The shapes that pass between the stages: what was fetched, what is asked of the transform, what it gives back.

export type EngineName = 'http' | 'browser';
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
}

export type PageHeader = Omit<FetchedPage, 'bytes'>;

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
}

export type TransformFormat = 'markdown' | 'html' | 'rawHtml' | 'links' | 'images' | 'attributes';

export interface TransformRequest {
  page: Pick<FetchedPage, 'finalUrl' | 'status' | 'headers' | 'contentType' | 'bytes'>;
  options: TransformOptions;
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
}

/** Is this what the caller asked for, or something that stands in its place? */
export type VerdictKind = 'content' | 'challenge' | 'login-wall' | 'empty-shell' | 'soft-404' | 'parked';

export interface Verdict {
  kind: VerdictKind;
  /** One sentence for people; empty for content. */
  reason: string;
}
