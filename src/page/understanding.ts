// What formats that need understanding start from, and what they return.
import { fromJsonBytes, toJsonBytes } from '../util/json/json-bytes.ts';
import type { PageStyles } from './page-styles.ts';
import type { Template } from './selector-programs.ts';
import type { StructuredData } from './structured-data.ts';

/** What of a page the requested formats need, in addition to its Markdown. `unselected`: if no known program gives the values. */
export interface SourceNeeds {
  /** Only the beginning of a very long Markdown, which is more than any format reads. */
  start?: true;
  /** The Markdown of what is certainly content. */
  clean?: true;
  data?: true | 'unselected';
  html?: true | 'unselected';
}

/** What is only needed for pages that no known program fits is left out for the others. */
export const isNeeded = (need: true | 'unselected' | undefined, selected: readonly SelectedValues[] = []): boolean =>
  need === true || (need === 'unselected' && (selected.length === 0 || !selected.every(isSettled)));

/** The texts of a page, and how it looks: cleaned and redacted, if that was requested. */
export interface PageText {
  /** The final URL. */
  url: string;
  title?: string;
  language?: string;
  markdown: string;
  /** What is certainly content, present if it was needed and the page is HTML. */
  cleanMarkdown?: string;
  /** The whole page, present if it was needed. */
  html?: string;
  /** Where the pages of a file begin in the Markdown, if it has any and the Markdown is as its parser has written it. */
  pageStarts?: number[];
  /** Texts that stand on most other pages of the site, too, as far as these are known. */
  repeated?: string[];
  /** What known programs select on it, if they were run already. */
  selected?: SelectedValues[];
  /** How the page looks in a browser, present if it was measured. */
  styles?: PageStyles;
}

/** The page as understanding sees it. */
export interface PageSource extends PageText {
  /** Present if it was needed. */
  data?: StructuredData;
}

/** The page between threads. Its data may be 100,000 values, which the main thread only passes on. */
export interface CarriedSource extends PageText {
  /** As JSON. */
  data?: Uint8Array<ArrayBuffer>;
}

export const carriedSource = ({ data, ...text }: PageSource): CarriedSource => ({
  ...text,
  ...(data && { data: toJsonBytes(data) }),
});

export const openSource = ({ data, ...text }: CarriedSource): PageSource => ({
  ...text,
  ...(data && { data: fromJsonBytes<StructuredData>(data) }),
});

/** Where a value of an answer stands: `markdown.slice(start, end) === text`. */
export interface Citation {
  url: string;
  text: string;
  start: number;
  end: number;
  /** How certain it is that this is what was asked for, 0 to 1; absent where it is not known. */
  confidence?: number;
}

export interface SelectorRun {
  id: string;
  /** As the program was when it was run. */
  isSettled: boolean;
  /** Undefined if nothing was selected. */
  value: unknown;
  /** Why the program does not fit the page; empty if it does. */
  problems: string[];
  citations: Record<string, Citation>;
  /** Paths whose rules select nothing here, without those that are known to be optional. */
  empty: string[];
  /** Hashes of the values that should differ from page to page, by path. */
  marks: Record<string, number>;
}

export interface SelectedValues {
  asked: string;
  /** What the page has. */
  template: Template;
  /** What the program selects that fits, else the one that was written for the most similar template; absent if there is none. */
  run?: SelectorRun;
}

/** The value is given, and nothing is to be learnt from the page. */
export const isSettled = ({ run }: SelectedValues): boolean =>
  run?.isSettled === true && run.problems.length === 0 && run.empty.length === 0;

export interface MadeFormat {
  /** Keys of the Document; empty if the page does not have what was asked for, which a warning then says. */
  content: Record<string, unknown>;
  warnings: string[];
  /** By path in the content: `json.price`, `answer`. */
  citations?: Record<string, Citation>;
  /** In addition to what the page costs, where the price depends on the work. */
  credits?: number;
  /** Tokens of language models. */
  tokens?: number;
  /** How many windows of the text our own reader has read. */
  windowsRead?: number;
}
