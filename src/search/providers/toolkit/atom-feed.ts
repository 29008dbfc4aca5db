// Reads Atom feeds as search answers: the text of each element of an entry. Entities declared in the feed are never
// expanded, and entries, depth and texts are bounded.
import { createXmlStream } from '../../../markup/xml/xml-stream.ts';
import { localName } from '../../../markup/xml/xml-tree.ts';
import { ProviderProblem } from '../provider-problem.ts';
import { problem } from './answer-problem.ts';

export interface AtomFeed {
  /** Total number of results, if the feed reports it. */
  total: string | undefined;
  /** Text by element name without prefix; the first of each name. */
  entries: Record<string, string>[];
}

const MAX_ENTRIES = 200;
const MAX_DEPTH = 64;
const MAX_TEXT = 20_000;

export function readAtom(xml: string): AtomFeed {
  const feed: AtomFeed = { total: undefined, entries: [] };
  const path: string[] = [];
  let entry: Record<string, string> | undefined;
  let content = '';

  const stream = createXmlStream({
    open(name) {
      path.push(localName(name));
      if (path[0] !== 'feed' || path.length > MAX_DEPTH) throw problem('malformed');
      if (path.length === 2 && path[1] === 'entry') entry = Object.create(null) as Record<string, string>;
      content = '';
    },
    text(more) {
      if (content.length < MAX_TEXT) content += more;
    },
    close() {
      const name = path.pop()!;
      if (path.length === 2 && entry) entry[name] ??= content.slice(0, MAX_TEXT);
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
