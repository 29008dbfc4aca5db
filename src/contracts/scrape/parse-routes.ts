// The routes of uploads.

import { PAGE_ERRORS } from '../errors/route-errors.ts';
import {
  parseFormatsResponse,
  parseRequest,
  uploadQuery,
  uploadResponse,
  uploadUrlRequest,
  uploadUrlResponse,
} from './parse.ts';
import { scrapeResponse } from './scrape.ts';

export const PARSE_ROUTES = {
  parse: {
    method: 'POST',
    path: '/v2/parse',
    summary: 'Parse an uploaded file into Markdown or other formats',
    request: parseRequest,
    upload: 'form',
    response: scrapeResponse,
    fetches: false,
    fails: [
      ...PAGE_ERRORS,
      ...['UNSUPPORTED_FILE_TYPE', 'PARSE_UNSUPPORTED_OPTIONS', 'NOT_FOUND', 'KEYLESS_LIMIT_REACHED'],
      ...['COLLECTION_NOT_FOUND'],
    ],
  },
  parseFormats: {
    method: 'GET',
    path: '/v2/parse/formats',
    summary: 'List the file formats that this server can parse',
    response: parseFormatsResponse,
    cacheControl: 'private, max-age=3600',
  },
  uploadUrl: {
    method: 'POST',
    path: '/v2/parse/upload-url',
    summary: 'Get a URL to upload a file to before parsing it',
    request: uploadUrlRequest,
    response: uploadUrlResponse,
    fetches: false,
    fails: ['FEATURE_NOT_ENABLED', 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED'],
  },
  upload: {
    method: 'PUT',
    path: '/v2/parse/upload/:id',
    summary: 'Upload a file to the URL that was issued for it',
    open: true,
    query: uploadQuery,
    upload: 'raw',
    response: uploadResponse,
    fails: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'STORAGE_DAMAGED'],
  },
} as const;
