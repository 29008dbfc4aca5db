// /v2/index: what is stored and searched: hosts, pages, the versions of tracked pages. Nothing here fetches a page.
import { z } from 'zod';
import { nameText, urlText } from '../bounds.ts';
import { pageChanges } from '../formats/page-changes.ts';
import { flag, wholeNumber } from '../query-fields.ts';

const MAX_HOSTS = 200;
const MAX_PAGES = 100;
const DEFAULT_LIMIT = 50;
/** What a query string has room for. */
const MAX_DELETED_URLS = 100;
const MAX_CURSOR_LENGTH = 24_000;

const limitOf = (max: number, what: string) =>
  wholeNumber('limit', 1, max).default(DEFAULT_LIMIT).describe(`Number of ${what} to return, 1 to ${max}.`);
const cursor = z
  .string()
  .max(MAX_CURSOR_LENGTH, 'Invalid cursor.')
  .regex(/^[\w-]+$/, 'Invalid cursor.')
  .optional()
  .describe('The `cursor` of the answer before.');
const hostText = nameText.describe(
  'A host, with its port unless that is the default: `example.com`, `localhost:8080`.',
);
const pageUrl = urlText('Set `url` to the URL of the page.').describe('The URL of the page.');
const version = (name: string) => wholeNumber(name, 1, 999_999_999);

export const storedHostsQuery = z.object({
  order: z
    .enum(['pages', 'name'])
    .default('pages')
    .describe('`pages`: hosts with most pages first. `name`: in the order of their names, without `www.`.'),
  prefix: nameText
    .optional()
    .describe('Only hosts that begin with it, with or without `www.`, in the order of their names.'),
  limit: limitOf(MAX_HOSTS, 'hosts'),
  cursor,
});

export const storedPagesQuery = z.object({
  host: hostText.optional(),
  contains: nameText.optional().describe('Only pages whose URL contains this text.'),
  tracked: flag('tracked').optional().describe('`true`: only pages whose changes are tracked.'),
  limit: limitOf(MAX_PAGES, 'pages'),
  cursor,
});

export const storedPageQuery = z.object({ url: pageUrl });

export const pageDiffQuery = z.object({
  url: pageUrl,
  to: version('to').describe('ID of the later version.'),
  from: version('from').optional().describe('ID of the earlier version. Default: the one before `to`.'),
});

export const deletePagesQuery = z.object({
  url: z
    .array(pageUrl)
    .max(MAX_DELETED_URLS, `At most ${MAX_DELETED_URLS} pages can be deleted at once.`)
    .optional()
    .describe('URL of a page to delete. Repeat it for several pages.'),
  host: hostText.optional().describe('Delete all pages of this host.'),
});

export const storedHost = z.lazy(() =>
  z.object({
    host: z.string(),
    pages: z.int().describe('Pages that a search can find.'),
    tracked: z.int().describe('Pages whose changes are tracked; one for each tag.'),
    bytes: z.int().describe('Size of the cached copies, compressed.'),
    newestAt: z.string().describe('When something of the host was last stored.'),
  }),
);

export const storedPage = z.lazy(() =>
  z.object({
    url: z.string().describe('Where the page was found.'),
    title: z.string().nullable(),
    language: z.string().nullable().describe('Two lower-case letters.'),
    kind: z
      .string()
      .nullable()
      .describe('As a file extension: `html`, `pdf`, ... Null if the page is not in the index.'),
    searchable: z.boolean().describe('Whether a search can find it.'),
    tracked: z.boolean().describe('Whether its changes are tracked.'),
    shared: z.boolean().describe('Whether other teams see it, too. Only the operator can delete what is shared.'),
    fetchedAt: z.string().nullable(),
    statusCode: z.int().nullable().describe('HTTP status of the newest copy; null if no copy is left in the cache.'),
    copies: z.int().describe('Copies in the cache: earlier ones, and variants such as `mobile`.'),
    bytes: z.int().describe('Size of the copies with all results, compressed.'),
  }),
);

const pageCopy = z.lazy(() =>
  z.object({
    requestedUrl: z.string().describe('Another URL than that of the page if it redirects there.'),
    mobile: z.boolean(),
    country: z.string().nullable(),
    languages: z.array(z.string()),
    fetchedAt: z.string(),
    checkedAt: z.string().describe('When the site last confirmed the copy.'),
    expiresAt: z.string().nullable().describe('When it leaves the cache; null if it stays until room is needed.'),
    statusCode: z.int(),
    contentType: z.string(),
    bytes: z.int(),
    verified: z.boolean().describe('False if the site had an invalid certificate.'),
    screenshots: z.int(),
  }),
);

export const storedHostsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(storedHost),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
);

export const storedPagesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(storedPage),
    cursor: z.string().nullable(),
    has_more: z.boolean().describe('There may be more pages, also if this answer has fewer than `limit`.'),
  }),
);

export const storedPageResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: storedPage.unwrap().extend({
      redirectsTo: z
        .string()
        .nullable()
        .describe('Where the URL leads, if that is elsewhere. What is stored is that page.'),
      description: z.string().nullable(),
      publishedAt: z.string().nullable(),
      metadata: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      formats: z.array(z.string()).describe('What was made of the newest copies and is still stored.'),
      variants: z.array(pageCopy).describe('The copies, newest first.'),
      content: z
        .object({
          format: z.enum(['markdown', 'text']).describe('`text`: as the index has it, because no Markdown is stored.'),
          text: z.string(),
          cut: z.boolean().describe('The text is longer, and only its beginning is returned.'),
          fetchedAt: z.string(),
        })
        .nullable(),
    }),
  }),
);

export const pageVersion = z.lazy(() =>
  z.object({
    id: z.int(),
    at: z.string().describe('When the page was first found like this.'),
    lastSeenAt: z.string().describe('When the page was last found like this.'),
    status: z
      .enum(['new', 'same', 'changed', 'removed'])
      .describe('`same`: the page had been gone, and came back as it was.'),
    bytes: z.int().describe('Compressed size; 0 if the page was gone.'),
  }),
);

export const pageVersionsResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.array(
      z.object({
        tag: z.string().nullable().describe('The `tag` of the requests that track the page.'),
        redacted: z.boolean().describe('Whether the requests had `redactPII`.'),
        versions: z.array(pageVersion).describe('Newest first; the last 20.'),
      }),
    ),
  }),
);

const comparedVersion = z.object({ id: z.int(), lastSeenAt: z.string() });

export const pageDiffResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      from: comparedVersion.nullable().describe('Null if there is no earlier version: then all lines are new.'),
      to: comparedVersion,
      same: z.boolean().describe('Whether the texts count as unchanged.'),
      diff: pageChanges
        .unwrap()
        .shape.diff.unwrap()
        .nullable()
        .describe('A unified diff, and the same as data; null if unchanged.'),
      cut: z.boolean().describe('The diff does not show everything that has changed.'),
    }),
  }),
);

export const deletePagesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      pages: z.int().describe('Pages of which something was deleted.'),
      copies: z.int().describe('Copies that were removed from the cache.'),
      versions: z.int().describe('Versions of tracked pages that were removed.'),
      archived: z.int().describe('Records in archives of the team that were replaced by a note.'),
      shared: z
        .boolean()
        .describe('Some of the pages stay, because other teams share them. The operator can delete them.'),
      has_more: z.boolean().describe('The host has more pages. Send the request again to delete them.'),
    }),
  }),
);

export type StoredHostsResponse = z.output<typeof storedHostsResponse>;
export type StoredPagesResponse = z.output<typeof storedPagesResponse>;
export type StoredPageResponse = z.output<typeof storedPageResponse>;
export type PageVersionsResponse = z.output<typeof pageVersionsResponse>;
export type PageDiffResponse = z.output<typeof pageDiffResponse>;
export type DeletePagesResponse = z.output<typeof deletePagesResponse>;
