// POST /v2/parse, with the scrape options that make sense for a file, and the two-step upload that can precede it.
import { z } from 'zod';
import { collectionName } from '../collection/collection-name.ts';
import { location } from './location.ts';
import type { OptionsWith } from './option-traits.ts';
import { clientFields, explainOption } from './scrape.ts';
import { applyDependentOptions, MAX_TIMEOUT_MS, scrapeOptionFields } from './scrape-options.ts';
import { checkUnredactable } from './unredactable.ts';

export const DEFAULT_PARSE_TIMEOUT_MS = 30_000;
export const MAX_FILE_NAME = 512;
const MAX_UPLOAD_REF = 1_024;
/** How long an upload URL accepts a file. */
export const UPLOAD_OPEN_MS = 10 * 60_000;
/** How long an uploaded file is kept until it is parsed. */
export const UPLOAD_KEPT_MS = 24 * 3_600_000;
/** Limit per team for open upload URLs and unparsed files together. */
export const MAX_UNPARSED_UPLOADS = 10;

const parsers = scrapeOptionFields.parsers.unwrap();

const ABSENT = {
  ...{ maxAge: true, minAge: true, storeInCache: true, lockdown: true, fastMode: true, siteMemory: true },
  ...{ archive: true, source: true },
} as const satisfies Record<OptionsWith<{ ofUploads: 'absent' }>, true>;

export const parseRequest = z
  .object(scrapeOptionFields)
  // Options about caching and fetching mean nothing for a file.
  .omit(ABSENT)
  .extend({
    uploadRef: z
      .string()
      .max(MAX_UPLOAD_REF)
      .optional()
      .describe('Instead of a file: the `uploadRef` of a file sent to its `uploadUrl` before.'),
    timeout: scrapeOptionFields.timeout
      .unwrap()
      .max(MAX_TIMEOUT_MS)
      .default(DEFAULT_PARSE_TIMEOUT_MS)
      .describe('Milliseconds after which parsing fails.'),
    parsers: parsers.default(() => parsers.parse(['pdf', 'image'])).describe('Which files are parsed.'),
    // No default: uploads refuse a location, so it matters whether one was sent.
    location: scrapeOptionFields.location.unwrap().optional(),
    zeroDataRetention: z.boolean().default(false).describe('Stores nothing of the file.'),
    collection: collectionName
      .optional()
      .describe(
        'The file becomes a page of this collection, under its name; a file of the same name is its next version.',
      ),
    explain: explainOption,
    ...clientFields,
  })
  .superRefine(checkUnredactable)
  .transform(({ location: asked, ...options }) => ({
    ...applyDependentOptions({
      ...options,
      location: asked ?? location.parse({}),
      storeInCache: false,
      lockdown: false,
      fastMode: false,
      siteMemory: false,
      archive: false,
      source: undefined,
    }),
    isLocated: asked !== undefined,
  }));

export type ParseRequest = z.output<typeof parseRequest>;

export const uploadUrlRequest = z.object({
  filename: z
    .string({ error: 'Set `filename` to the name of the file, for example { "filename": "report.pdf" }.' })
    .min(1)
    .max(MAX_FILE_NAME)
    .describe('Name of the file.'),
  contentType: z.string().max(256).optional().describe('MIME type of the file.'),
  declaredSizeBytes: z.int().min(1).optional().describe('If set, a file of any other size is refused.'),
  ...clientFields,
});

export type UploadUrlRequest = z.output<typeof uploadUrlRequest>;

export const uploadUrlResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      uploadUrl: z.string().describe('Where to send the file. Needs no key.'),
      uploadRef: z.string().max(MAX_UPLOAD_REF).describe('What to send to POST /v2/parse afterwards.'),
      method: z.literal('PUT'),
      headers: z.record(z.string(), z.string()).describe('Headers to send with the file.'),
      expiresAt: z.string().describe('When the upload URL expires.'),
      maxSizeBytes: z.int(),
    }),
  }),
);

export type UploadUrlResponse = z.output<typeof uploadUrlResponse>;

export const uploadQuery = z.object({
  uploadRef: z.string().max(MAX_UPLOAD_REF).describe('The `uploadRef` that belongs to this upload URL'),
});

export const uploadResponse = z.lazy(() => z.object({ success: z.literal(true) }));

export const parseFormatsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      maxBytes: z.int().describe('Size of the largest file that this server takes; an addition of Trawl.'),
      formats: z.array(
        z.object({
          format: z.string(),
          kind: z.enum(['document', 'image']),
          extensions: z.array(z.string()).describe('In lower case, without a dot.'),
          mimeTypes: z.array(z.string()),
          available: z.boolean().describe('False if this server lacks what the format needs, for example OCR.'),
        }),
      ),
    }),
  }),
);

export type ParseFormatsResponse = z.output<typeof parseFormatsResponse>;
