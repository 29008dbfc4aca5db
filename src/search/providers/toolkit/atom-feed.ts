// Reads Atom feeds as search answers: the text of each element of an entry. Entities declared in the feed are never
// expanded, and entries, depth and texts are bounded.
import { createXmlStream } from '../../../markup/xml/xml-stream.ts';
import { localName } from '../../../markup/xml/xml-tree.ts';
import { ProviderProblem } from '../provider-problem.ts';
import { problem } from './answer-problem.ts';

interface AtomFeed {
  /** Total number of results, if the feed reports it. */
  total: string | undefined;
  entries: AtomEntry[];
}

export interface AtomEntry {
  /** Text by element name without prefix; the first of each name. */
  texts: Record<string, string>;
  /** Names of the authors. */
  authors: string[];
  /** The terms of its categories. */
  categories: string[];
}

const MAX_ENTRIES = 200;
const MAX_DEPTH = 64;
const MAX_TEXT = 20_000;
const MAX_AUTHORS = 200;
const MAX_CATEGORIES = 50;

export function readAtom(xml: string): AtomFeed {
  const feed: AtomFeed = { total: undefined, entries: [] };
  const path: string[] = [];
  let entry: AtomEntry | undefined;
  let content = '';

  const stream = createXmlStream({
    open(name, { term }) {
      path.push(localName(name));
      if (path[0] !== 'feed' || path.length > MAX_DEPTH) throw problem('malformed');
      if (path.length === 2 && path[1] === 'entry') entry = newEntry();
      const isCategory = path.length === 3 && path[2] === 'category' && term !== undefined;
      if (isCategory && entry && entry.categories.length < MAX_CATEGORIES) entry.categories.push(term.slice(0, 100));
      content = '';
    },
    text(more) {
      if (content.length < MAX_TEXT) content += more;
    },
    close() {
      const name = path.pop()!;
      if (path.length === 2 && entry) entry.texts[name] ??= content.slice(0, MAX_TEXT);
      if (path.length === 3 && path[2] === 'author' && name === 'name' && entry) addAuthor(entry, content);
      if (path.length === 1 && name === 'entry' && entry && feed.entries.length < MAX_ENTRIES) feed.entries.push(entry);
      if (path.length === 1 && name === 'totalResults') feed.total = content;
      if (path.length === 1) entry = undefined;
      content = '';
    },
    fault() {
      throw new ProviderProblem('malformed', 'its answer is cut off, or not valid XML');
    },
  });
  stream.write(xml);
  stream.end();
  return feed;
}

const newEntry = (): AtomEntry => ({
  texts: Object.create(null) as Record<string, string>,
  authors: [],
  categories: [],
});

function addAuthor({ authors }: AtomEntry, name: string): void {
  if (authors.length < MAX_AUTHORS) authors.push(name.slice(0, 200));
}
