// Sources and categories that other servers have and this search does not: ignored, and named in the warning.
import type { SearchRequest } from '../../contracts/search/search.ts';

/** MCP clients send it with every search, and no one chose it: it is only worth a word when it stands alone. */
const DATA_EXCHANGE = 'alexandria';
const DEVELOPER = ['developer', 'repo', 'code', 'docs', 'devdex'];
const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 40;

/** One sentence for each kind of source or category that this search does not support. */
export function unservedNames({ sources, categories }: Pick<SearchRequest, 'sources' | 'categories'>): string[] {
  const notes: string[] = [];
  const otherSources = sources.unknown.filter((name) => name !== DATA_EXCHANGE);
  if (sources.unknown.includes(DATA_EXCHANGE) && sources.known.length === 0) {
    notes.push(`The source '${DATA_EXCHANGE}' (a data exchange) is not served here; the web was searched instead.`);
  }
  if (otherSources.length > 0) {
    notes.push(`Unknown sources were ignored: ${listed(otherSources)}. Use web, news or images.`);
  }
  const developer = categories.unknown.filter((name) => DEVELOPER.includes(name));
  const others = categories.unknown.filter((name) => !DEVELOPER.includes(name) && name !== 'gov');
  if (developer.length > 0) {
    notes.push(`The category ${listed(developer)} has a search of its own: POST /v2/search/developer.`);
  }
  if (categories.unknown.includes('gov')) {
    notes.push("The category 'gov' is not served here. Name the hosts in `includeDomains` instead.");
  }
  if (others.length > 0) {
    notes.push(`Unknown categories were ignored: ${listed(others)}. Use github, research or pdf.`);
  }
  return notes;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `'${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}'`);
  return shown.join(', ') + (names.length > MAX_NAMES ? ' and more' : '');
}
