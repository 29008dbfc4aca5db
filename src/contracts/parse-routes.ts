// The routes of uploads.
import { parseRequest, uploadQuery, uploadResponse, uploadUrlRequest, uploadUrlResponse } from './parse.ts';
import { scrapeResponse } from './scrape.ts';

export const PARSE_ROUTES = {
  parse: {
    method: 'POST',
    path: '/v2/parse',
    summary: 'Turn a file that you upload into Markdown or other formats',
    request: parseRequest,
    upload: 'form',
    response: scrapeResponse,
    fetches: false,
  },
  uploadUrl: {
    method: 'POST',
    path: '/v2/parse/upload-url',
    summary: 'Get an address to send a file to, to be parsed afterwards',
    request: uploadUrlRequest,
    response: uploadUrlResponse,
    fetches: false,
  },
  upload: {
    method: 'PUT',
    path: '/v2/parse/upload/:id',
    summary: 'Send a file to the address that was given for it',
    open: true,
    query: uploadQuery,
    upload: 'raw',
    response: uploadResponse,
  },
} as const;
