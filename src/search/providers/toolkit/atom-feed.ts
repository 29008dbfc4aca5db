// Atom feeds as search answers: the text of each entry's own elements. Entities that a document declares are never
// expanded (the parser knows only those of XML itself and stops at others), and everything is counted.
import { SaxesParser } from 'saxes';
import { ProviderProblem } from '../provider-problem.ts';
import { problem } from './answer-problem.ts';

export interface AtomFeed {
  /** How many results there are in all, where the feed says so. */
  total: string | undefined;
  /** By the name of the element, without its prefix; the first of each. */
  entries: Record<string, string>[];
}

const MAX_ENTRIES = 200;
const MAX_DEPTH = 64;
const MAX_TEXT = 20_000;

export function readAtom(document: string): AtomFeed {
  const feed: AtomFeed = { total: undefined, entries: [] };
  const path: string[] = [];
  let entry: Record<string, string> | undefined;
  let content = '';

  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    path.push(localName(name));
    if (path[0] !== 'feed') throw problem('malformed');
    if (path.length > MAX_DEPTH) throw problem('malformed');
    if (path.length === 2 && path[1] === 'entry') entry = Object.create(null) as Record<string, string>;
    content = '';
  });
  const addText = (more: string) => {
    if (content.length < MAX_TEXT) content += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const name = path.pop()!;
    if (path.length === 2 && entry) entry[name] ??= content.slice(0, MAX_TEXT);
    if (path.length === 1 && name === 'entry' && entry && feed.entries.length < MAX_ENTRIES) feed.entries.push(entry);
    if (path.length === 1 && name === 'totalResults') feed.total = content;
    if (path.length === 1) entry = undefined;
    content = '';
  });

  try {
    parser.write(document).close();
  } catch (cause) {
    throw new ProviderProblem('malformed', 'its answer is cut off, or not the XML it should be', { cause });
  }
  return feed;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
