// JSON as pages write it: wrapped in comments, with raw line breaks, character references, comments or trailing commas.
import { decodeHTML } from 'entities';
import { jsonrepair } from 'jsonrepair';

/** Longer scripts are data of the page's program; no reader of structured data looks at them. */
const MAX_CHARS = 3_000_000;
/** The repair takes quadratic time on scripts that are made for it: 64 KB cost at most a quarter of a second. */
const MAX_REPAIRED = 64_000;
const WRAPPED = /^(?:\/[/*])?\s{0,99}(?:<!--|<!\[CDATA\[)\s{0,99}(?:\*\/)?/;
const WRAPPED_END = /(?:(?:\/[/*])?\s{0,99}(?:-->|\]\]>)\s{0,99}(?:\*\/)?|;)$/;

/** Reads the scripts of one page. Repairs share a budget. */
export class LenientJson {
  #repairable = 2 * MAX_REPAIRED;

  /** The object or list; undefined if the text is anything else. */
  parse(source: string): object | undefined {
    if (source.length > MAX_CHARS) return undefined;
    const text = unwrap(source.trim());
    if (!/^(?:[{[]|\/[/*]|&)/.test(text)) return undefined;
    return (
      asObject(() => JSON.parse(text)) ??
      // Raw line breaks inside strings are the most common error; elsewhere they are white space.
      asObject(() => JSON.parse(text.replace(/[\u0000-\u001f]+/g, ' '))) ??
      (text.includes('&quot;') || text.includes('&#34;') ? asObject(() => JSON.parse(decodeHTML(text))) : undefined) ??
      this.#repair(text)
    );
  }

  #repair(text: string): object | undefined {
    if (text.length > MAX_REPAIRED || text.length > this.#repairable) return undefined;
    this.#repairable -= text.length;
    return asObject(() => JSON.parse(jsonrepair(text)));
  }
}

function unwrap(text: string): string {
  const start = WRAPPED.exec(text)?.[0].length ?? 0;
  // The end is searched for in the last characters only, so that a long run of white space costs nothing.
  const tail = text.slice(Math.max(start, text.length - 250));
  const end = WRAPPED_END.exec(tail)?.[0].length ?? 0;
  return start + end === 0 ? text : text.slice(start, text.length - end).trim();
}

function asObject(read: () => unknown): object | undefined {
  try {
    const value = read();
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not JSON, or nested so deeply that the repair ran out of stack.
    return undefined;
  }
}
