// Jina Reader and its search: pages as text by writing their address behind that of the service, and results with their pages.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { DialectTable } from '../dialect.ts';
import { errorText } from '../shared/error-text.ts';
import { problemOf } from './problems.ts';
import { readPage } from './read-page.ts';
import { readerFields } from './reader-fields.ts';
import { search, searchFields } from './search.ts';

export const jina: DialectTable = {
  routes: [
    {
      methods: ['GET', 'POST'],
      paths: ['/r', '/r/:url'],
      summary: 'Read a page',
      call: 'scrape',
      takes: readerFields,
      returns: 'The page as text. As JSON if `Accept` names application/json, and neither text/plain nor */*.',
      answer: readPage,
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/s', '/s/search', '/s/*q'],
      summary: 'Search, and read the results',
      call: 'search',
      takes: searchFields,
      returns: 'Results with the text of their pages, as text or as JSON like those of the reader.',
      answer: search,
    },
  ],
  writeError,
};

function writeError(error: ServiceError): { status: number; body: unknown } {
  return problemOf(error, errorText(error));
}
