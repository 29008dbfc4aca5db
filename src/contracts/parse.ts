// POST /v2/parse and the two steps by which a file can be sent ahead of it: options of a scrape, but for those of a visit.
import { z } from 'zod';
import { location } from './location.ts';
import { clientFields } from './scrape.ts';
import { scrapeOptionFields, settle } from './scrape-options.ts';

export const DEFAULT_PARSE_TIMEOUT_MS = 30_000;
export const MAX_FILE_NAME = 512;
/** How long an address for a file may be used ... */
export const UPLOAD_OPEN_MS = 10 * 60_000;
/** ... how long a file that came is kept for its parse ... */
export const UPLOAD_KEPT_MS = 24 * 3_600_000;
/** ... and how many of both one team may have. */
export const MAX_UNPARSED_UPLOADS = 10;

const parsers = scrapeOptionFields.parsers.unwrap();

export const parseRequest = z
  .object(scrapeOptionFields)
  // What belongs to the cache and to the way of fetching says nothing about a file.
  .omit({ maxAge: true, minAge: true, storeInCache: true, lockdown: true, fastMode: true })
  .extend({
    uploadRef: z
      .string()
      .max(1_024)
      .optional()
      .describe('In place of a file: the `uploadRef` of a file that was sent to its `uploadUrl` before.'),
    timeout: scrapeOptionFields.timeout.unwrap().default(DEFAULT_PARSE_TIMEOUT_MS),
    parsers: parsers.default(() => parsers.parse(['pdf', 'image'])),
    // Whether it was given at all is what counts here.
    location: scrapeOptionFields.location.unwrap().optional(),
    zeroDataRetention: z.boolean().default(false),
    ...clientFields,
  })
  .transform(({ location: asked, ...options }) => ({
    ...settle({
      ...options,
      location: asked ?? location.parse({}),
      storeInCache: false,
      lockdown: false,
      fastMode: false,
    }),
    isLocated: asked !== undefined,
  }));

export type ParseRequest = z.output<typeof parseRequest>;

export const uploadUrlRequest = z.object({
  filename: z
    .string({ error: 'Give the name of the file as `filename`, for example { "filename": "report.pdf" }.' })
    .min(1)
    .max(MAX_FILE_NAME),
  contentType: z.string().max(256).optional(),
  declaredSizeBytes: z.int().min(1).optional().describe('If given, a file of any other size is refused.'),
  ...clientFields,
});

export type UploadUrlRequest = z.output<typeof uploadUrlRequest>;

export const uploadUrlResponse = z.object({
  success: z.literal(true),
  data: z.object({
    uploadUrl: z.string().describe('Where to send the file; it needs no key.'),
    uploadRef: z.string().describe('What to give to POST /v2/parse then.'),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('What to send along.'),
    expiresAt: z.string().describe('Until when the file may be sent.'),
    maxSizeBytes: z.int(),
  }),
});

export type UploadUrlResponse = z.output<typeof uploadUrlResponse>;

export const uploadQuery = z.object({ uploadRef: z.string().describe('As it was given, with the address') });

export const uploadResponse = z.object({ success: z.literal(true) });
