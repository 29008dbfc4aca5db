// The formats, with what is decided by a format alone: the one table from which contract, stages, prices, cache, redaction,
// exports, command line, MCP and console follow. Their options are in formats.ts.
import type { Document } from '../scrape/document.ts';

export interface FormatTraits {
  /** Who makes it: from the tree of the page, from its text and data, in a browser, by a download, or from earlier versions. */
  stage: 'transform' | 'understanding' | 'browser' | 'download' | 'history';
  label: string;
  /** Its key in a Document, unless that is its name. */
  key?: keyof Document;
  /** What the key holds. Files are links. */
  content: 'prose' | 'html' | 'list' | 'data' | 'file' | 'base64';
  /** The key is null if the page cannot give the format. Other keys are then absent. */
  isNullable?: true;
  /** It shows what was chosen as the content of the page. */
  isChosen?: true;
  /** What its maker reads besides the Markdown; `end`: also the end of a very long one. */
  reads?: readonly ('data' | 'html' | 'end')[];
  /** Only a page that is shown in a browser has it. */
  isShown?: true;
  /** What it costs in addition to the page, an item of PRICES. Formats with the same item pay it once, except for `media`. */
  price?: 'extraction' | 'answer' | 'highlights' | 'programWritten' | 'media';
  /** Whether personal data can be replaced in it. */
  isRedactable: boolean;
  /** Whether a cached page can answer it. */
  isCached: boolean;
  /** Whether an uploaded file has it, too. */
  isOfUploads: boolean;
}

const TEXT = { isRedactable: true, isCached: true, isOfUploads: true } as const;
const BYTES = { isRedactable: false, isCached: false, isOfUploads: false } as const;

export const FORMATS = {
  markdown: { ...TEXT, stage: 'transform', label: 'Markdown', content: 'prose', isNullable: true, isChosen: true },
  html: { ...TEXT, stage: 'transform', label: 'HTML', content: 'html', isNullable: true, isChosen: true },
  rawHtml: { ...TEXT, isRedactable: false, stage: 'transform', label: 'Raw HTML', content: 'html', isNullable: true },
  rawBase64: { ...BYTES, isCached: true, stage: 'transform', label: 'Base64', content: 'base64' },
  links: { ...TEXT, stage: 'transform', label: 'Links', content: 'list', isChosen: true },
  images: { ...TEXT, stage: 'transform', label: 'Images', content: 'list', isChosen: true },
  attributes: { ...TEXT, isRedactable: false, stage: 'transform', label: 'Attributes', content: 'data' },
  chunks: { ...TEXT, stage: 'understanding', label: 'Chunks', content: 'data', reads: ['end'] },
  summary: { ...TEXT, stage: 'understanding', label: 'Summary', content: 'prose', reads: ['data'] },
  json: {
    ...TEXT,
    stage: 'understanding',
    label: 'Data',
    content: 'data',
    reads: ['data', 'html'],
    price: 'extraction',
  },
  deterministicJson: {
    ...TEXT,
    stage: 'understanding',
    label: 'Data',
    key: 'json',
    content: 'data',
    reads: ['data', 'html'],
    price: 'programWritten',
  },
  question: { ...TEXT, stage: 'understanding', label: 'Answer', key: 'answer', content: 'prose', price: 'answer' },
  highlights: { ...TEXT, stage: 'understanding', label: 'Highlights', content: 'prose', price: 'highlights' },
  query: { ...TEXT, stage: 'understanding', label: 'Answer', key: 'answer', content: 'prose', price: 'answer' },
  // Its price is that of the data which the mode `json` compares.
  changeTracking: { ...TEXT, isOfUploads: false, stage: 'history', label: 'Changes', content: 'data' },
  screenshot: {
    ...BYTES,
    isCached: true,
    stage: 'browser',
    label: 'Screenshot',
    content: 'file',
    isNullable: true,
    isShown: true,
  },
  branding: { ...BYTES, isRedactable: true, stage: 'understanding', label: 'Branding', content: 'data', isShown: true },
  product: { ...TEXT, stage: 'understanding', label: 'Product', content: 'data', reads: ['data'] },
  menu: { ...TEXT, stage: 'understanding', label: 'Menu', content: 'data', reads: ['data'] },
  knowledgeGraph: { ...TEXT, stage: 'understanding', label: 'Knowledge graph', content: 'data', reads: ['data'] },
  audio: { ...BYTES, stage: 'download', label: 'Audio', content: 'file', isNullable: true, price: 'media' },
  video: { ...BYTES, stage: 'download', label: 'Video', content: 'file', isNullable: true, price: 'media' },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type FormatType = keyof typeof FORMATS;

/** The formats that a stage makes. */
export type FormatOf<Stage extends FormatTraits['stage']> = {
  [Type in FormatType]: (typeof FORMATS)[Type]['stage'] extends Stage ? Type : never;
}[FormatType];

export const traitsOf = (type: FormatType): FormatTraits => FORMATS[type];

/** Types of formats with these traits, in the order of the table. */
export const formatsWhere = (has: (traits: FormatTraits) => boolean): FormatType[] =>
  (Object.keys(FORMATS) as FormatType[]).filter((type) => has(FORMATS[type]));

export const formatsOf = <Stage extends FormatTraits['stage']>(stage: Stage): FormatOf<Stage>[] =>
  formatsWhere((traits) => traits.stage === stage) as FormatOf<Stage>[];

type FormatKey = {
  [Type in FormatType]: (typeof FORMATS)[Type] extends { key: infer Key } ? Key : Type;
}[FormatType];

/** The key of the format in a Document, which does not compile without it. */
export const keyOf = (type: FormatType): keyof Document => (traitsOf(type).key ?? type) as FormatKey;
