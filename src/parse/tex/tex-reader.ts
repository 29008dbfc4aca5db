// What commands and environments see of the reader that runs them.
import type { Scanner } from './tex-scanner.ts';
import type { TexTable } from './tex-table.ts';

export interface Frame {
  kind: 'root' | 'group' | 'environment';
  name: string;
  /** What is written in it; its parent's own where nothing waits for it. */
  parts: string[];
  /** End tags that are owed when it ends. */
  closers: string[];
  /** Waits for what was written in it. */
  close?(html: string): void;
  /** Holds one line, without paragraphs. */
  inline?: boolean;
  table?: TexTable;
  list?: ListKind;
}

export type ListKind = 'items' | 'terms' | 'references';

/** What is known of the document as a whole; pieces that are read apart add to it. */
export interface TexDocument {
  /** title, author, date: HTML. */
  about: Map<string, string>;
  /** Footnotes, HTML. */
  notes: string[];
  /** Environments for theorems and the like, by name. */
  theorems: Map<string, string>;
  warnings: Set<string>;
  /** Figures and tables so far. */
  captions: Map<string, number>;
  /** Of chapters if there are any, else of sections. */
  headingLevel: number;
  hasChapters: boolean;
}

export interface TexReader {
  readonly scanner: Scanner;
  readonly document: TexDocument;
  top(): Frame;
  /** The innermost environment that has what is looked for. */
  around(test: (frame: Frame) => boolean): Frame | undefined;
  emit(html: string): void;
  text(text: string): void;
  paragraph(): void;
  /** Reads on into the next argument; its HTML is given to `close`. */
  capture(close: (html: string) => void): void;
  enter(name: string, frame?: Partial<Frame>): void;
  /** The HTML of a piece of source by itself. */
  render(source: string): string;
}

export type TexHandler = (reader: TexReader, name: string) => void;
