// The errors of collections: a part of the one table in error-table.ts.

export const COLLECTION_ERRORS = {
  COLLECTION_NOT_FOUND: {
    status: 404,
    text: 'Your team has no collection of this name. GET /v2/collections lists them; PUT makes one.',
  },
  CURSOR_GONE: {
    status: 410,
    text: 'The collection does not know this cursor, or no longer knows what was deleted since. Begin anew: send the request without `since`, and drop what the answer does not name.',
  },
  COLLECTION_RUNNING: {
    status: 409,
    text: 'A run of this collection is already waiting or running. Wait until it has ended: `runId` is its id.',
  },
  TOO_MANY_COLLECTIONS: {
    status: 429,
    text: 'Your team has as many collections as it may have (TRAWL_MAX_MONITORS sets the limit of both). Delete one.',
  },
} as const;
