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

export function createBlockWriter(): BlockWriter {
  const root: Container = { ...container('quote', ''), prefix: '' };
  const stack: Container[] = [root];
  // Index of the first entered container in which nothing has been written yet.
  let fresh = 1;
  const out: string[] = [];

  const gapBefore = (kind: BlockKind): string => {
    const around = stack[fresh - 1]!;
    if (around.last === undefined) return '';
    const entered = stack[fresh];
    const next = entered?.kind ?? kind;
    const tight = around.tight && !JOINS[around.last]?.includes(next) && !(around.last === 'text' && entered?.needsGap);
    return tight ? '\n' : `\n${around.prefix.trimEnd()}\n`;
  };

  const startLine = (kind: BlockKind): string => {
    let prefix = gapBefore(kind) + stack[fresh - 1]!.prefix;
    for (let at = fresh; at < stack.length; at++) {
      const { kind: entered, marker = '', first } = stack[at]!;
      stack[at - 1]!.last = entered;
      stack[at - 1]!.lastMarker = marker;
      prefix += first;
    }
    fresh = stack.length;
    stack[fresh - 1]!.last = kind;
    return prefix;
  };

  return {
    block(kind, lines) {
      const { prefix } = stack[stack.length - 1]!;
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!;
        const start = at === 0 ? startLine(kind) : `\n${prefix}`;
        out.push(line === '' ? start.replace(/ +$/, '') : start + line);
      }
    },
    enter(entering) {
      const around = stack[stack.length - 1]!;
      const limited = stack.length > MAX_CONTAINERS ? { ...entering, first: '', rest: '' } : entering;
      stack.push({ ...limited, prefix: around.prefix + limited.rest, last: undefined, lastMarker: '' });
    },
    leave() {
      stack.pop();
      const written = fresh > stack.length;
      fresh = Math.min(fresh, stack.length);
      return written;
    },
    markerBefore() {
      const around = stack[stack.length - 1]!;
      return around.last === 'list' ? around.lastMarker : '';
    },
    finish: () => out.join(''),
  };
}

const container = (kind: ContainerStart['kind'], rest: string): Container => ({
  kind,
  first: rest,
  rest,
  tight: false,
  prefix: '',
  last: undefined,
  lastMarker: '',
});

/** For table cells, which have a single line: blocks are joined by <br>. */
export function createCellWriter(): BlockWriter {
  const parts: string[] = [];
  const markers: string[] = [];
  return {
    block(_kind, lines) {
      const marker = markers.join('');
      markers.fill('');
      parts.push(marker + lines.join('<br>'));
    },
    enter({ kind, first }) {
      markers.push(kind === 'item' ? first : '');
    },
    leave() {
      return markers.pop() === '';
    },
    markerBefore: () => '',
    finish: () => parts.join('<br>').replaceAll('\n', ' ').replace(/\|/g, '\\|'),
  };
}
