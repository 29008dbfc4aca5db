// Writes changed lines as a unified diff, and the same as data in the shape of the package parse-diff.
import type { LineEdit } from './diff-lines.ts';

export interface UnifiedDiff {
  text: string;
  json: { files: DiffFile[] };
}

export interface DiffFile {
  from: string;
  to: string;
  chunks: DiffChunk[];
}

export interface DiffChunk {
  /** The line that begins with `@@`. */
  content: string;
  changes: DiffChange[];
}

/** Line numbers begin at 1. `content` begins with a space, `-` or `+`. */
export type DiffChange =
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'add'; add: true; ln: number; content: string };

const CONTEXT_LINES = 3;
/** What a caller gets at most. Both forms together have about twice as many characters. */
const MAX_CHARACTERS = 500_000;
/** Each line is an object that crosses threads and becomes JSON on the event loop. */
const MAX_LINES = 10_000;
const MAX_LINE_CHARACTERS = 10_000;

interface Chunk {
  oldStart: number;
  newStart: number;
  changes: DiffChange[];
}

/** `isCut`: there are more or longer changes than a caller gets. */
export function unifiedDiff(
  before: readonly string[],
  after: readonly string[],
  edits: readonly LineEdit[],
): UnifiedDiff & { isCut: boolean } {
  const writer = new ChunkWriter(before, after);
  for (const [index, edit] of edits.entries()) {
    if (writer.isFull) break;
    if ('removed' in edit) writer.replace(edit.removed, edit.added);
    else writer.keep(edit.kept, { isFirst: index === 0, isLast: index === edits.length - 1 });
  }
  const chunks = writer.chunks.map(writtenChunk);
  const lines = chunks.flatMap(({ content, changes }) => [content, ...changes.map((change) => change.content)]);
  return {
    text: ['--- previous', '+++ current', ...lines, ''].join('\n'),
    json: { files: [{ from: 'previous', to: 'current', chunks }] },
    isCut: writer.isFull || writer.hasCutLines,
  };
}

class ChunkWriter {
  readonly chunks: Chunk[] = [];
  hasCutLines = false;
  readonly #before: readonly string[];
  readonly #after: readonly string[];
  #old = 0;
  #new = 0;
  #open: Chunk | undefined;
  #charactersLeft = MAX_CHARACTERS;
  #linesLeft = MAX_LINES;

  constructor(before: readonly string[], after: readonly string[]) {
    this.#before = before;
    this.#after = after;
  }

  get isFull(): boolean {
    return this.#charactersLeft < 0 || this.#linesLeft < 0;
  }

  replace(removed: number, added: number): void {
    this.#open ??= this.#begin();
    for (let i = 0; i < removed && !this.isFull; i++) {
      this.#add({ type: 'del', del: true, ln: ++this.#old, content: `-${this.#shown(this.#before[this.#old - 1]!)}` });
    }
    for (let i = 0; i < added && !this.isFull; i++) {
      this.#add({ type: 'add', add: true, ln: ++this.#new, content: `+${this.#shown(this.#after[this.#new - 1]!)}` });
    }
  }

  /** Unchanged lines: the first few end a chunk, the last few begin the next; few enough connect the two. */
  keep(count: number, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): void {
    const head = isFirst ? 0 : Math.min(count, CONTEXT_LINES);
    const tail = isLast ? 0 : Math.min(count - head, CONTEXT_LINES);
    for (let i = 0; i < head; i++) this.#same();
    const skipped = count - head - tail;
    if (skipped > 0 || isFirst || isLast) this.#open = undefined;
    this.#old += skipped;
    this.#new += skipped;
    if (tail > 0) this.#open ??= this.#begin();
    for (let i = 0; i < tail; i++) this.#same();
  }

  #begin(): Chunk {
    const chunk = { oldStart: this.#old, newStart: this.#new, changes: [] };
    this.chunks.push(chunk);
    return chunk;
  }

  /** Unchanged lines may differ in white space; the current ones are shown. */
  #same(): void {
    const [ln1, ln2] = [++this.#old, ++this.#new];
    this.#add({ type: 'normal', normal: true, ln1, ln2, content: ` ${this.#shown(this.#after[ln2 - 1]!)}` });
  }

  #add(change: DiffChange): void {
    this.#open!.changes.push(change);
    this.#charactersLeft -= change.content.length + 1;
    this.#linesLeft -= 1;
  }

  #shown(line: string): string {
    if (line.length <= MAX_LINE_CHARACTERS) return line;
    this.hasCutLines = true;
    return `${cutAt(line, MAX_LINE_CHARACTERS)}…`;
  }
}

/** Does not cut between two surrogates. */
const cutAt = (line: string, length: number): string => line.slice(0, length).replace(/[\ud800-\udbff]$/, '');

function writtenChunk({ oldStart, newStart, changes }: Chunk): DiffChunk {
  const oldLines = changes.filter(({ type }) => type !== 'add').length;
  const newLines = changes.filter(({ type }) => type !== 'del').length;
  const content = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
  return { content, changes };
}

/** A range without lines names the line before it. */
const range = (before: number, lines: number): string => `${lines === 0 ? before : before + 1},${lines}`;
