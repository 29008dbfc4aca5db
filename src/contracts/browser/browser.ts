// /v2/browser and /v2/interact, two names for the same thing: browsers that callers drive themselves.
import { z } from 'zod';
import { clientFields } from '../scrape/scrape.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { profileOption } from './profile.ts';

export const createBrowserRequest = z.object({
  ttl: z.int().min(30).max(3_600).default(600).describe('Maximum lifetime of the session in seconds.'),
  activityTtl: z
    .int()
    .min(10)
    .max(3_600)
    .default(300)
    .describe('Seconds without activity after which the session ends.'),
  streamWebView: z.boolean().default(true).describe('Whether the session can be watched.'),
  recordSession: z.boolean().default(true).describe('Accepted but ignored: nothing is recorded.'),
  profile: profileOption
    .optional()
    .describe('Loads stored browser state at the start and, unless `saveChanges` is false, saves it at the end.'),
  threatProtection: threatProtection.optional(),
  ...clientFields,
});

export const createBrowserResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    cdpUrl: z.string().describe('For Playwright (`connectOverCDP`) and Puppeteer (`browserWSEndpoint`). Needs no key.'),
    liveViewUrl: z.string().describe('A page that shows the browser live. Needs no key.'),
    interactiveLiveViewUrl: z.string().describe('The same page with mouse and keyboard control.'),
    expiresAt: z.string(),
  }),
);

export const listBrowsersQuery = z.object({
  status: z
    .enum(['active', 'destroyed'], { error: '`status` must be `active` or `destroyed`.' })
    .optional()
    .describe('Lists only sessions with this status.'),
});

export const browserSession = z.lazy(() =>
  z.object({
    id: z.string(),
    status: z.enum(['active', 'destroyed']),
    cdpUrl: z.string(),
    liveViewUrl: z.string(),
    interactiveLiveViewUrl: z.string(),
    streamWebView: z.boolean(),
    createdAt: z.string(),
    lastActivity: z.string(),
    expiresAt: z.string(),
  }),
);

export const listBrowsersResponse = z.lazy(() =>
  z.object({ success: z.literal(true), sessions: z.array(browserSession) }),
);

export const getBrowserResponse = z.lazy(() => browserSession.unwrap().extend({ success: z.literal(true) }));

export const deleteBrowserResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    status: z.literal('destroyed'),
    sessionDurationMs: z.int().optional().describe('Absent if the session had already ended.'),
    creditsBilled: z.int(),
  }),
);

export type CreateBrowserResponse = z.output<typeof createBrowserResponse>;
export type ListBrowsersResponse = z.output<typeof listBrowsersResponse>;
export type GetBrowserResponse = z.output<typeof getBrowserResponse>;
export type DeleteBrowserResponse = z.output<typeof deleteBrowserResponse>;
