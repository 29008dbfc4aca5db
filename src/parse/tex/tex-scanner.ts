// A cursor in a TeX source and the ways to read from it. Every step moves forward, so reading stays linear.

export interface TexScanner {
  readonly source: string;
  at: number;
  /** The match of a sticky expression at the cursor, or ''. */
  match(expression: RegExp): string;
  /** The name of a command after its backslash: letters, or a single character. */
  commandName(): string;
  /** Skips spaces and at most one line break; a blank line ends a paragraph and is kept. */
  skipSpace(): void;
  /** Reads this character if it is next, after white space. */
  accept(character: string): boolean;
  /** The raw text in `{...}`, or the next single character; '' at the end. */
  rawArgument(): string;
  /** The raw text in `[...]`, if it follows. */
  optional(): string | undefined;
  /** Everything before `end`, which is read too; undefined (and nothing read) if it does not occur. */
  until(end: string): string | undefined;
  /** Like `until` for a formula: it must end within its paragraph, and an escaped character does not end it. */
  formula(end: string): string | undefined;
}

const NAME = /[a-zA-Z@]+\*?/y;
/** Characters that searches for missing ends may read in vain before such searches are kept short. */
const MAX_WASTED_CHARACTERS = 20_000_000;
const SHORT_SEARCH = 200;
const MAX_FORMULA = 10_000;
const SPACE = /[ \t]*(?:\n[ \t]*(?!\n))?/y;

export function createTexScanner(source: string): TexScanner {
  const budget: SearchBudget = { left: MAX_WASTED_CHARACTERS };
  const until = createUntil(source);
  const scanner: TexScanner = {
    source,
    at: 0,
    match(expression) {
      expression.lastIndex = scanner.at;
      const text = expression.exec(source)?.[0] ?? '';
      scanner.at += text.length;
      return text;
    },
    commandName() {
      const name = scanner.match(NAME) || source.charAt(scanner.at);
      if (/^[^a-zA-Z@]/.test(name)) scanner.at += name.length;
      return name;
    },
    skipSpace() {
      scanner.match(SPACE);
    },
    accept(character) {
      const before = scanner.at;
      scanner.skipSpace();
      const isNext = source[scanner.at] === character;
      scanner.at = isNext ? scanner.at + 1 : before;
      return isNext;
    },
    rawArgument() {
      if (scanner.accept('{')) return readBalanced(scanner, '{', '}', budget);
      scanner.skipSpace();
      const character = source.charAt(scanner.at);
      scanner.at += character.length;
      if (character !== '\\') return character;
      const name = scanner.commandName();
      if (/[a-zA-Z]/.test(name)) scanner.skipSpace();
      return `\\${name}`;
    },
    optional: () => (scanner.accept('[') ? readBalanced(scanner, '[', ']', budget) : undefined),
    until: (end) => until(scanner, end),
    formula: (end) => readFormula(scanner, end, budget),
  };
  return scanner;
}

interface SearchBudget {
  left: number;
}

function createUntil(source: string): (scanner: TexScanner, end: string) => string | undefined {
  // An end that is missing once is missing further on too, so no search fails twice.
  const misses = new Set<string>();
  return (scanner, end) => {
    const found = misses.has(end) ? -1 : source.indexOf(end, scanner.at);
    if (found === -1) {
      misses.add(end);
      return undefined;
    }
    const text = source.slice(scanner.at, found);
    scanner.at = found + end.length;
    return text;
  };
}

function readFormula(scanner: TexScanner, end: string, budget: SearchBudget): string | undefined {
  const { source, at: start } = scanner;
  const last = Math.min(source.length, start + (budget.left > 0 ? MAX_FORMULA : SHORT_SEARCH));
  for (let at = start; at < last; at++) {
    if (source.startsWith(end, at)) {
      scanner.at = at + end.length;
      return source.slice(start, at);
    }
    if (source[at] === '\\') at += 1;
    else if (isBlankLine(source, at)) break;
  }
  budget.left -= last - start;
  return undefined;
}

/** Reads to the matching closing character. Without one, the text ends with its paragraph. */
function readBalanced(scanner: TexScanner, open: string, close: string, budget: SearchBudget): string {
  const { source, at: start } = scanner;
  const end = budget.left > 0 ? source.length : Math.min(source.length, start + SHORT_SEARCH);
  const found = open === '{' ? findClosingBrace(source, start, end) : findClosing(source, start, end, open, close);
  if (found !== -1) {
    scanner.at = found + 1;
    return source.slice(start, found);
  }
  budget.left -= end - start;
  const blank = source.slice(start, end).indexOf('\n\n');
  scanner.at = blank === -1 ? end : start + blank;
  return source.slice(start, scanner.at);
}

function findClosingBrace(source: string, start: number, end: number): number {
  let depth = 1;
  for (let at = start; at < end; at++) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Braces protect what they contain. A blank line ends the search. */
function findClosing(source: string, start: number, end: number, open: string, close: string): number {
  let depth = 1;
  let braces = 0;
  for (let at = start; at < end; at++) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '{') braces += 1;
    else if (character === '}') braces = Math.max(0, braces - 1);
    else if (isBlankLine(source, at)) return -1;
    else if (braces > 0) continue;
    else if (character === open) depth += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

const isBlankLine = (source: string, at: number): boolean => source[at] === '\n' && source[at + 1] === '\n';
