// Measures a JSON value without recursion and without writing it out, and stops as soon as it exceeds a size.

export interface JsonSize {
  /** Characters as JSON, approximately: escapes count as one. */
  characters: number;
  /** Levels of objects and lists. */
  depth: number;
}

const QUOTES_AND_COMMA = 3;

/** Deeper than anything that a model is asked for. Code that walks through values later recurses once a level. */
const MAX_LEVELS = 64;

/** A model writes what it likes, also what a page has told it to: thousands of levels, for example. */
export const isNestedTooDeeply = (value: unknown): boolean =>
  exceedsJsonSize(value, { characters: Number.POSITIVE_INFINITY, depth: MAX_LEVELS });

/** Parses JSON that a model has written; undefined if it is invalid or nested too deeply. */
export function parseWritten(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedTooDeeply(value) ? undefined : { value };
  } catch {
    return undefined;
  }
}

export function exceedsJsonSize(value: unknown, { characters, depth }: JsonSize): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let left = characters;
  for (let next = open.pop(); next; next = open.pop()) {
    left -= lengthOf(next.value);
    if (left < 0) return true;
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= depth) return true;
    for (const [name, inner] of Object.entries(next.value)) {
      if (!Array.isArray(next.value)) left -= name.length + QUOTES_AND_COMMA;
      open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return left < 0;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + QUOTES_AND_COMMA;
  return typeof value === 'object' && value !== null ? QUOTES_AND_COMMA : String(value).length + 1;
}
