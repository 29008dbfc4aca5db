// Names of languages, kinds and times, and a score in words.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';

export type Data = ResponseOf<'searchIndex'>['data'];
export type Hit = Data['hits'][number];
export type ScorePart = NonNullable<Hit['explain']>['parts'][number];

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

export function languageName(code: string): string {
  if (code === 'und') return 'Unknown';
  try {
    return LANGUAGES.of(code) ?? code;
  } catch {
    return code;
  }
}

const KINDS: Readonly<Record<string, string>> = { page: 'Web page', news: 'News', md: 'Markdown', txt: 'Text' };

export const kindName = (kind: string): string => KINDS[kind] ?? kind.toUpperCase();

const TIME_NAMES: Readonly<Record<string, string>> = {
  'qdr:d': 'Past day',
  'qdr:w': 'Past week',
  'qdr:m': 'Past month',
  'qdr:y': 'Past year',
};

export const timeName = (time: string): string => TIME_NAMES[time] ?? 'Any time';

/** The name of a field of the request, as the page calls it. */
export const filterName = (field: string): string =>
  ({
    includeDomains: 'the site filter',
    languages: 'the language filter',
    kinds: 'the kind filter',
    tbs: 'the time filter',
  })[field] ?? field;

const PARTS: Readonly<Record<Exclude<ScorePart['part'], 'word'>, string>> = {
  allWords: 'Has all words of the query',
  proximity: 'The words are close together',
  meaning: 'It means what the query means',
  similarity: 'Is similar to the site',
  quality: 'Quality of its main content',
  links: 'Other sites link to it',
  frontPage: 'Is the front page of its site',
  depth: 'Lies deep in its site',
  language: 'Is in the preferred language',
  country: 'Is for the preferred country',
  freshness: 'How new it is',
  siteName: 'The query names its site',
};

const FIELDS = {
  title: 'in the title',
  headings: 'in headings',
  body: 'in the text',
  url: 'in the address',
  anchors: 'in links to it',
} as const;

/** `“crawl”: 1× in the title, 4× in the text`. */
export function partName({ part, word, occurrences = {} }: ScorePart): string {
  if (part !== 'word') return PARTS[part];
  const places = Object.entries(FIELDS).flatMap(([field, name]) => {
    const times = occurrences[field as keyof typeof FIELDS];
    return times ? [`${times}× ${name}`] : [];
  });
  return `“${word}”: ${places.length > 0 ? places.join(', ') : 'not on this page'}`;
}

/** Which share of the widest bar a part gets, in percent. */
export function barWidths(parts: readonly Pick<ScorePart, 'value'>[]): number[] {
  const widest = Math.max(...parts.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return parts.map(({ value }) => Math.round((Math.abs(value) / widest) * 100));
}

const MAX_SHOWN = 30;

/** The words that an unfinished one was found as: terms of the index are stems, which nobody reads. */
export function completedWords(hits: readonly Hit[], { text, completions }: Data['query']['words'][number]): string[] {
  if (completions === undefined) return [];
  const marked = hits.flatMap(({ marked: { title, passages } }) => [title, ...passages].flat());
  const words = marked.filter(({ isMatch }) => isMatch).map((segment) => segment.text.toLowerCase());
  return [...new Set(words)].filter((word) => word !== text && word.startsWith(text) && word.length <= MAX_SHOWN);
}
