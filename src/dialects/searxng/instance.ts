// What SearXNG says about itself, and completions of a query that is being typed.
import { readVersion } from '../../runtime/version.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { ENGINE } from './results.ts';

/** The software whose interface this is: clients such as Onyx talk to nothing else. `instance_name` says whose it is. */
const INTERFACE_OF = 'https://github.com/searxng/searxng';

const engine = (name: string, categories: string[], shortcut: string) => ({
  ...{ name, categories, shortcut, enabled: true, paging: true, language_support: true, languages: ['en'] },
  ...{ regions: [], safesearch: true, time_range_support: true, timeout: 15 },
});

export const instanceConfig = (): DialectAnswer => ({
  body: {
    categories: ['general', 'images', 'news', 'science', 'it', 'files'],
    engines: [
      engine(ENGINE, ['general', 'web'], 'tr'),
      engine(`${ENGINE} images`, ['images'], 'tri'),
      engine(`${ENGINE} news`, ['news'], 'trn'),
    ],
    plugins: [],
    instance_name: 'Trawl',
    locales: { en: 'English' },
    ...{ default_locale: '', autocomplete: ENGINE, safe_search: 0, default_theme: 'simple' },
    version: readVersion(),
    brand: { GIT_URL: INTERFACE_OF },
    public_instance: false,
    limiter: { enabled: false },
  },
});

const MAX_COMPLETIONS = 8;

/** What the words in the index make of the last word of the query. */
export async function complete(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { q = '', lang } = sentFields(request);
  const { query } = cutQuery(String(q));
  const completions = query === '' ? [] : await completionsOf(query, lang, trawl);
  const isFromPage = request.header('x-requested-with') === 'XMLHttpRequest';
  return { body: isFromPage ? completions : [query, completions, [], []] };
}

async function completionsOf(query: string, lang: unknown, trawl: Trawl): Promise<string[]> {
  const language = /^[a-z]{2}/.exec(String(lang ?? ''))?.[0];
  const body = { query, typing: true, limit: 1, facets: false, ...(language && { lang: language }) };
  const { data } = await trawl.call('searchIndex', { body });
  const start = query.slice(0, query.length - (/\S+$/.exec(query)?.[0].length ?? 0));
  const words = data.query.words.at(-1)?.completions ?? [];
  return words.slice(0, MAX_COMPLETIONS).map((word) => `${start}${word}`);
}
