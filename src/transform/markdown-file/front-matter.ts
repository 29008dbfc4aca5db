// Reads the simple values of the front matter of a Markdown file: a name, a colon, and text on the same line.
import type { PageMetadata } from '../../contracts/page.ts';

export interface FrontMatter {
  values: PageMetadata;
  /** Where the text itself begins. */
  end: number;
}

const START = /^---[ \t]*\n/;
const MAX_LENGTH = 5_000;
const LINE = /^(title|description|summary|date|lang|language):[ \t]{1,9}["']?(.*?)["']?$/i;

export function frontMatter(markdown: string): FrontMatter {
  const values: PageMetadata = {};
  const end = START.test(markdown) ? markdown.slice(0, MAX_LENGTH).indexOf('\n---', 3) : -1;
  if (end === -1) return { values, end: 0 };
  for (const line of markdown.slice(0, end).split('\n')) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name !== undefined && value) values[name.toLowerCase()] = value;
  }
  const next = markdown.indexOf('\n', end + 1);
  return { values, end: next === -1 ? markdown.length : next };
}
