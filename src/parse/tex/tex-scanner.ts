// A place in a TeX source, and the ways to read on from there. Each step goes forward, so that the whole stays linear.

export interface Scanner {
  readonly source: string;
  at: number;
  /** What the expression (a sticky one) finds at the current place, or ''. */
  match(expression: RegExp): string;
  /** The name of the command after a backslash at the current place: letters, or one sign. */
  commandName(): string;
  /** Spaces and at most one line break; a blank line ends a paragraph and is left. */
  skipSpace(): void;
  /** Is this sign next, after white space? It is read if it is. */
  accept(sign: string): boolean;
  /** The text in `{...}` as it stands, or the next single sign; '' at the end. */
  rawArgument(): string;
  /** The text in `[...]` if one follows. */
  optional(): string | undefined;
  /** Everything before that text, which is read too; undefined (and nothing read) if it does not come. */
  until(end: string): string | undefined;
  /** The same for a formula: it ends within its paragraph, and not with a sign that a backslash protects. */
  formula(end: string): string | undefined;
}

const NAME = /[a-zA-Z@]+\*?/y;
/** Signs that may be read in vain, looking for ends that never come, before such searches are kept short. */
const VAIN_SIGNS = 20_000_000;
const SHORT_SEARCH = 200;
const MAX_FORMULA = 10_000;
const SPACE = /[ \t]*(?:\n[ \t]*(?!\n))?/y;

export function createScanner(source: string): Scanner {
  const misses = new Set<string>();
  let vain = VAIN_SIGNS;
  const scanner: Scanner = {
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
    accept(sign) {
      const before = scanner.at;
      scanner.skipSpace();
      if (source[scanner.at] === sign) {
        scanner.at += 1;
        return true;
      }
      scanner.at = before;
      return false;
    },
    rawArgument() {
      if (scanner.accept('{')) return balanced('{', '}');
      scanner.skipSpace();
      if (source[scanner.at] === '\\') {
        scanner.at += 1;
        const name = scanner.commandName();
        if (/[a-zA-Z]/.test(name)) scanner.skipSpace();
        return `\\${name}`;
      }
      const sign = source.charAt(scanner.at);
      scanner.at += sign.length;
      return sign;
    },
    optional() {
      return scanner.accept('[') ? balanced('[', ']') : undefined;
    },
    until(end) {
      // What is not there once will not be there later: no search is made twice in vain.
      const found = misses.has(end) ? -1 : source.indexOf(end, scanner.at);
      if (found === -1) {
        misses.add(end);
        return undefined;
      }
      const text = source.slice(scanner.at, found);
      scanner.at = found + end.length;
      return text;
    },
    formula(end) {
      const start = scanner.at;
      const last = Math.min(source.length, start + (vain > 0 ? MAX_FORMULA : SHORT_SEARCH));
      for (let at = start; at < last; at++) {
        if (source.startsWith(end, at)) {
          scanner.at = at + end.length;
          return source.slice(start, at);
        }
        if (source[at] === '\\') at += 1;
        else if (source[at] === '\n' && source[at + 1] === '\n') break;
      }
      vain -= last - start;
      return undefined;
    },
  };

  /** Up to the sign that closes what was opened; braces protect, and what never closes ends with its paragraph. */
  function balanced(open: string, close: string): string {
    const start = scanner.at;
    let depth = 1;
    let braces = 0;
    const end = vain > 0 ? source.length : Math.min(source.length, start + SHORT_SEARCH);
    for (let at = start; at < end; at++) {
      const sign = source[at]!;
      if (sign === '\\') at += 1;
      else if (sign === close && braces === 0) {
        depth -= 1;
        if (depth === 0) {
          scanner.at = at + 1;
          return source.slice(start, at);
        }
      } else if (sign === open && braces === 0) depth += 1;
      else if (open !== '{' && sign === '{') braces += 1;
      else if (open !== '{' && sign === '}') braces = Math.max(0, braces - 1);
      else if (sign === '\n' && source[at + 1] === '\n' && open === '[') break;
    }
    vain -= end - start;
    const blank = source.slice(start, end).indexOf('\n\n');
    scanner.at = blank === -1 ? end : start + blank;
    return source.slice(start, scanner.at);
  }

  return scanner;
}
