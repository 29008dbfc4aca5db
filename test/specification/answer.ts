// Sections 2.10, 4, 7 and 8: what a search answers.

const SCRAPED = {
  markdown: 'string or null',
  html: 'string or null',
  rawHtml: 'string or null',
  links: 'array',
  screenshot: 'string or null',
  audio: 'string or null',
  video: 'string or null',
  metadata: 'object',
};

/** Fields of an item of `data.NAME`, with their types. "or null" stands for nullable. */
export const RESULT_FIELDS: Record<'web' | 'news' | 'images', Record<string, string>> = {
  web: { url: 'string', title: 'string', description: 'string', category: 'string', ...SCRAPED },
  news: {
    title: 'string',
    url: 'string',
    snippet: 'string',
    date: 'string',
    imageUrl: 'string',
    position: 'integer',
    ...SCRAPED,
  },
  images: {
    title: 'string',
    url: 'string',
    imageUrl: 'string',
    imageWidth: 'integer',
    imageHeight: 'integer',
    position: 'integer',
  },
};

export const METADATA_FIELDS: Record<string, string> = {
  sourceURL: 'string',
  url: 'string',
  statusCode: 'integer',
  error: 'string',
  numPages: 'integer',
  totalPages: 'integer',
};

/** Every status that the specification names for a search, with a code that the description must list. */
export const STATUSES: Record<number, string> = {
  403: 'FEATURE_NOT_ENABLED',
  404: 'SCRAPE_LOCKDOWN_CACHE_MISS',
  408: 'SCRAPE_TIMEOUT',
  429: 'QUEUE_FULL',
  500: 'UNKNOWN_ERROR',
};
