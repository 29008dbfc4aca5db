// The errors of what the pages of the console look after: a part of the one table in error-table.ts.

export const OPERATOR_ERRORS = {
  PROVIDER_NOT_FOUND: {
    status: 404,
    text: 'There is no search provider with this name, or no such purpose of a model. GET /v2/providers lists both.',
  },
  PROCESS_NOT_FOUND: {
    status: 404,
    text: 'There is no process with this ID, or it does not answer. GET /v0/health/details lists those that run.',
  },
  BROWSER_NOT_FOUND: {
    status: 404,
    text: 'There is no browser with this ID. It may have ended: GET /v2/health/browsers lists those that run.',
  },
  PAGE_NOT_STORED: {
    status: 404,
    text: 'Nothing is stored of this page. Scrape it, or list what is stored with GET /v2/index/pages.',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    text: 'No version of this page has this number, or the page did not exist at that time. GET /v2/index/page/versions lists its versions.',
  },
  INDEX_UNAVAILABLE: {
    status: 503,
    text: 'The search index cannot be reached at the moment. Try again later; the log of the server has the reason.',
  },
} as const;
