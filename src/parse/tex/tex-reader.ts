// Types shared by the reader and the handlers of commands and environments.
import type { TexScanner } from './tex-scanner.ts';
import type { TexTable } from './tex-table.ts';

export interface TexFrame {
  kind: 'root' | 'group' | 'environment';
  name: string;
  /** Its output; shared with its parent unless `close` is set. */
  parts: string[];
  /** End tags to write when it ends. */
  closers: string[];
  /** Receives its output when it ends. */
  close?(html: string): void;
  /** Contains a single line without paragraphs. */
  inline?: boolean;
  table?: TexTable;
  list?: ListKind;
}

export type ListKind = 'items' | 'terms' | 'references';

/** State of the whole source, shared with pieces that are rendered separately. */
export interface TexState {
  /** HTML of title, author and date, by name. */
  titleParts: Map<string, string>;
  /** HTML of the footnotes. */
  notes: string[];
  /** Titles of theorem-like environments, by name. */
  theorems: Map<string, string>;
  warnings: Set<string>;
  /** Number of captions so far, by kind. */
  captions: Map<string, number>;
  /** Level of chapters if there are any, else of sections. */
  headingLevel: number;
  hasChapters: boolean;
}

export interface TexReader {
  readonly scanner: TexScanner;
  readonly state: TexState;
  top(): TexFrame;
  /** The innermost frame that matches. */
  findFrame(test: (frame: TexFrame) => boolean): TexFrame | undefined;
  emit(html: string): void;
  text(text: string): void;
  paragraph(): void;
  /** Enters the next argument and passes its HTML to `close` at its end. */
  capture(close: (html: string) => void): void;
  enter(name: string, frame?: Partial<TexFrame>): void;
  /** The HTML of a piece of source, rendered separately. */
  render(source: string): string;
}

export type TexHandler = (reader: TexReader, name: string) => void;
