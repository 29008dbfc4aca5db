// Pagination: following a "next page" link does not increase the crawl depth.

/** How many pages of one list a crawl follows. Longer lists are cut here. */
export const MAX_STEPS = 1_000;

export interface PaginatedUrl {
  /** The URL without its page number. */
  list: string;
  /** The page number with its parameter name; empty for the first page, which has none. */
  page: string;
}

const PAGE_PARAMETERS = new Set([
  'page',
  'p',
  'pg',
  'paged',
  'pagenum',
  'page_no',
  'pageno',
  'pagenumber',
  'currentpage',
  'start',
  'offset',
  'from',
  'skip',
  'o',
]);
const SMALL_NUMBER = /^\d{1,6}$/;
const PAGE_IN_PATH = /\/(?:(?:pages?|p|seite|pagina)\/|page-?)(\d{1,6})(?:\.html?)?\/?$/i;
const END_OF_FOLDER = /\/(?:index\.[a-z]{3,5})?$/i;

/** Whether both URLs are different pages of the same list. */
export const isNextPage = (from: URL, to: URL): boolean => isOtherPage(listPosition(from), listPosition(to));

/** A first page with and without its number counts as two pages, because some sites number the second page 1. */
export const isOtherPage = (from: PaginatedUrl, to: PaginatedUrl): boolean =>
  from.list === to.list && from.page !== to.page;

export function listPosition(url: URL): PaginatedUrl {
  const inPath = PAGE_IN_PATH.exec(url.pathname);
  const path = inPath ? url.pathname.slice(0, inPath.index) : url.pathname.replace(END_OF_FOLDER, '');
  const place = { list: url.host + path, page: inPath?.[1] ?? '' };
  if (url.search !== '') extractPageNumber(url.search, place);
  return place;
}

function extractPageNumber(search: string, place: PaginatedUrl): void {
  const others: string[] = [];
  for (const text of search.slice(1).split('&')) {
    const equals = text.indexOf('=');
    const isPage =
      PAGE_PARAMETERS.has(text.slice(0, equals).toLowerCase()) && SMALL_NUMBER.test(text.slice(equals + 1));
    if (isPage) place.page += `&${text}`;
    else if (text !== '') others.push(text);
  }
  if (others.length > 0) place.list += `?${others.sort().join('&')}`;
}
