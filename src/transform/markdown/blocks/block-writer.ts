// Writes blocks as lines: prefixes for quotes and lists, one blank line between blocks, none inside tight lists.

/** Decides which blocks need a blank line between them. */
export type BlockKind = 'text' | 'heading' | 'code' | 'rule' | 'table' | 'quote' | 'list' | 'item';

export interface BlockWriter {
  /** One block of one or more lines. */
  block(kind: BlockKind, lines: string[]): void;
  /** Starts a container: its first line gets `first`, the others `rest`. Empty containers are not written. */
  enter(container: ContainerStart): void;
  /** Ends the container; true if anything was written in it. */
  leave(): boolean;
  /** The marker of a list that ended right before, else '': two adjacent lists with the same marker would merge. */
  markerBefore(): string;
  finish(): string;
}

export interface ContainerStart {
  kind: 'quote' | 'list' | 'item';
  first: string;
  rest: string;
  /** No blank lines between the direct children, where Markdown does not require them. */
  tight: boolean;
  /** The marker of a list. */
  marker?: string;
  /** Needs a blank line after text, because it would be parsed as part of it. */
  needsGap?: boolean;
  /** Continues the list before it, without a blank line. */
  continues?: boolean;
}

interface Container extends ContainerStart {
  /** The prefix of a line inside, including those of the outer containers. */
  prefix: string;
  last: BlockKind | undefined;
  lastMarker: string;
}

// Limits the indentation: a hostile page could otherwise turn each line into a thousand spaces.
const MAX_CONTAINERS = 48;
// Blocks that need a blank line between them, because the second would otherwise continue the first.
const JOINS: Partial<Record<BlockKind, BlockKind[]>> = {
  text: ['text', 'table', 'item'],
  list: ['text', 'table', 'list'],
  quote: ['text', 'table', 'quote'],
  table: ['text', 'table', 'heading', 'code', 'rule', 'quote', 'list'],
};

export class LineWriter implements BlockWriter {
  readonly #stack: Container[] = [
    { kind: 'quote', first: '', rest: '', tight: false, prefix: '', last: undefined, lastMarker: '' },
  ];
  // Index of the first entered container in which nothing has been written yet.
  #fresh = 1;
  readonly #out: string[] = [];

  block(kind: BlockKind, lines: string[]): void {
    const { prefix } = this.#stack[this.#stack.length - 1]!;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const start = at === 0 ? this.#startLine(kind) : `\n${prefix}`;
      this.#out.push(line === '' ? start.replace(/ +$/, '') : start + line);
    }
  }

  enter(entering: ContainerStart): void {
    const stack = this.#stack;
    const around = stack[stack.length - 1]!;
    const limited = stack.length > MAX_CONTAINERS ? { ...entering, first: '', rest: '' } : entering;
    stack.push({ ...limited, prefix: around.prefix + limited.rest, last: undefined, lastMarker: '' });
  }

  leave(): boolean {
    this.#stack.pop();
    const written = this.#fresh > this.#stack.length;
    this.#fresh = Math.min(this.#fresh, this.#stack.length);
    return written;
  }

  markerBefore(): string {
    const around = this.#stack[this.#stack.length - 1]!;
    return around.last === 'list' ? around.lastMarker : '';
  }

  finish(): string {
    return this.#out.join('');
  }

  #startLine(kind: BlockKind): string {
    const stack = this.#stack;
    let prefix = this.#gapBefore(kind) + stack[this.#fresh - 1]!.prefix;
    for (let at = this.#fresh; at < stack.length; at++) {
      const { kind: entered, marker = '', first } = stack[at]!;
      stack[at - 1]!.last = entered;
      stack[at - 1]!.lastMarker = marker;
      prefix += first;
    }
    this.#fresh = stack.length;
    stack[this.#fresh - 1]!.last = kind;
    return prefix;
  }

  #gapBefore(kind: BlockKind): string {
    const around = this.#stack[this.#fresh - 1]!;
    if (around.last === undefined) return '';
    const entered = this.#stack[this.#fresh];
    if (entered?.continues === true && around.last === 'list') return '\n';
    const next = entered?.kind ?? kind;
    const tight = around.tight && !JOINS[around.last]?.includes(next) && !(around.last === 'text' && entered?.needsGap);
    return tight ? '\n' : `\n${around.prefix.trimEnd()}\n`;
  }
}

/** For table cells, which have a single line: blocks are joined by <br>. */
export class CellWriter implements BlockWriter {
  readonly #parts: string[] = [];
  readonly #markers: string[] = [];

  block(_kind: BlockKind, lines: string[]): void {
    const marker = this.#markers.join('');
    this.#markers.fill('');
    this.#parts.push(marker + lines.join('<br>'));
  }

  enter({ kind, first }: ContainerStart): void {
    this.#markers.push(kind === 'item' ? first : '');
  }

  leave(): boolean {
    return this.#markers.pop() === '';
  }

  markerBefore(): string {
    return '';
  }

  finish(): string {
    return this.#parts.join('<br>');
  }
}
