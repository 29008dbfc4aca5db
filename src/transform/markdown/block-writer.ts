// Blocks to lines: prefixes of quotes and lists, one blank line between blocks, none inside tight lists.

export interface BlockWriter {
  /** One block of one or more lines. */
  block(lines: string[]): void;
  /** Starts a container: its first line gets `first`, the others `rest`. An empty container leaves no trace. */
  enter(first: string, rest: string): void;
  /** Ends it, and tells whether anything was written in it. */
  leave(): boolean;
  /** The next block follows without a blank line. */
  tighten(): void;
  /** Takes that back, where what was to follow turned out to be empty. */
  loosen(): void;
  finish(): string;
}

interface Container {
  first: string;
  rest: string;
  fresh: boolean;
}

// Deeper quotes and lists only add indentation: without a limit, a hostile page could turn one line into a thousand spaces.
const MAX_CONTAINERS = 24;

export function createBlockWriter(): BlockWriter {
  const containers: Container[] = [];
  const out: string[] = [];
  let gap = '';
  let restPrefix = '';

  const settle = () => {
    restPrefix = containers.map(({ rest }) => rest).join('');
  };
  const linePrefix = () => {
    if (!containers.some(({ fresh }) => fresh)) return restPrefix;
    const prefix = containers.map(({ first, rest, fresh }) => (fresh ? first : rest)).join('');
    for (const container of containers) container.fresh = false;
    return prefix;
  };
  const blankLine = () =>
    containers
      .map(({ rest, fresh }) => (fresh ? '' : rest))
      .join('')
      .trimEnd();

  return {
    block(lines) {
      for (const [at, line] of lines.entries()) {
        if (at > 0) out.push('\n');
        else if (out.length > 0) out.push(gap === '\n\n' ? `\n${blankLine()}\n` : '\n');
        const text = linePrefix() + line;
        out.push(line === '' ? text.trimEnd() : text);
      }
      gap = '\n\n';
    },
    enter(first, rest) {
      containers.push(
        containers.length < MAX_CONTAINERS ? { first, rest, fresh: true } : { first: '', rest: '', fresh: false },
      );
      settle();
    },
    leave() {
      const written = containers.pop()?.fresh === false;
      settle();
      return written;
    },
    tighten() {
      // In a container that is still empty, the block before stands outside of it.
      if (containers[containers.length - 1]?.fresh !== true) gap = '\n';
    },
    loosen() {
      gap = '\n\n';
    },
    finish: () => out.join(''),
  };
}

/** The same inside a table cell, where there is only one line: blocks are joined by <br>. */
export function createCellWriter(): BlockWriter {
  const parts: string[] = [];
  let marker = '';
  return {
    block(lines) {
      parts.push(marker + lines.join('<br>'));
      marker = '';
    },
    enter(first) {
      marker = first.trim() === '>' ? '' : first;
    },
    leave() {
      const written = marker === '';
      marker = '';
      return written;
    },
    tighten() {},
    loosen() {},
    finish: () => parts.join('<br>').replaceAll('\n', ' ').replace(/\|/g, '\\|'),
  };
}
