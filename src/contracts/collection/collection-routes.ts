// The routes of collections.
import { z } from 'zod';
import { EXPORT_FILES } from '../crawl/export.ts';
import { MONITOR_START_ERRORS } from '../errors/route-errors.ts';
import { document } from '../scrape/document.ts';
import {
  addPagesRequest,
  addPagesResponse,
  changeLine,
  changesQuery,
  collectionExportQuery,
  collectionResponse,
  deleteCollectionResponse,
  listCollectionsResponse,
  membersQuery,
  membersResponse,
  putCollectionRequest,
  removePagesQuery,
  removePagesResponse,
  runCollectionResponse,
} from './collection.ts';

const COLLECTIONS = '/v2/collections';
const COLLECTION = `${COLLECTIONS}/:name` as const;
const NOT_FOUND = ['COLLECTION_NOT_FOUND'] as const;
const NOT_STARTED = ['INSUFFICIENT_CREDITS', 'QUEUE_FULL', 'FEATURE_NOT_ENABLED'] as const;

export const COLLECTION_ROUTES = {
  putCollection: {
    method: 'PUT',
    path: COLLECTION,
    summary: 'Make a collection of pages, or set what it reads and when',
    request: putCollectionRequest,
    response: collectionResponse,
    fetches: 'targets',
    fails: [...MONITOR_START_ERRORS, 'TOO_MANY_COLLECTIONS'],
  },
  listCollections: {
    method: 'GET',
    path: COLLECTIONS,
    summary: 'List the collections of your team by name',
    response: listCollectionsResponse,
  },
  getCollection: {
    method: 'GET',
    path: COLLECTION,
    summary: 'Get a collection and what its last run found',
    response: collectionResponse,
    fails: NOT_FOUND,
  },
  deleteCollection: {
    method: 'DELETE',
    path: COLLECTION,
    summary: 'Delete a collection with what it keeps; a run is cancelled',
    response: deleteCollectionResponse,
    fails: NOT_FOUND,
  },
  runCollection: {
    method: 'POST',
    path: `${COLLECTION}/run`,
    summary: 'Run a collection now',
    response: runCollectionResponse,
    fails: [...NOT_FOUND, ...NOT_STARTED, 'COLLECTION_RUNNING'],
  },
  addCollectionPages: {
    method: 'POST',
    path: `${COLLECTION}/pages`,
    summary: 'Add pages to a collection',
    request: addPagesRequest,
    response: addPagesResponse,
    fetches: false,
    fails: [...NOT_FOUND, ...MONITOR_START_ERRORS],
  },
  listCollectionPages: {
    method: 'GET',
    path: `${COLLECTION}/pages`,
    summary: 'List what is in a collection, in the order of the URLs',
    query: membersQuery,
    response: membersResponse,
    fails: NOT_FOUND,
  },
  removeCollectionPages: {
    method: 'DELETE',
    path: `${COLLECTION}/pages`,
    summary: 'Take pages out of a collection',
    query: removePagesQuery,
    repeatable: ['url'],
    response: removePagesResponse,
    fails: ['BAD_REQUEST', ...NOT_FOUND],
  },
  collectionChanges: {
    method: 'GET',
    path: `${COLLECTION}/changes`,
    summary: 'Stream what has changed in a collection since a cursor',
    query: changesQuery,
    response: z.lazy(() => z.array(changeLine).describe('A line each.')),
    contentType: EXPORT_FILES.jsonl.type,
    cacheControl: 'no-store',
    fails: ['BAD_REQUEST', ...NOT_FOUND, 'CURSOR_GONE'],
  },
  exportCollection: {
    method: 'GET',
    path: `${COLLECTION}/export`,
    summary: 'Download all documents of a collection as one file',
    query: collectionExportQuery,
    response: z.lazy(() => z.array(document).describe('All documents, those that changed last at the end.')),
    contentType: [...new Set(Object.values(EXPORT_FILES).map(({ type }) => type))],
    cacheControl: 'no-store',
    fails: ['BAD_REQUEST', ...NOT_FOUND],
  },
} as const;
