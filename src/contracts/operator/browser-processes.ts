// The browser programs of the service as the operator sees them: those that render pages, and one for each session.
import { z } from 'zod';

const sessionOfProcess = z.lazy(() =>
  z.object({
    team: z.string().describe('Name of the team.'),
    lastActivity: z.string(),
    expiresAt: z.string().describe('When the session ends at the latest.'),
    liveViewUrl: z
      .string()
      .optional()
      .describe('A page that shows the browser live. Only for sessions of your own team that can be watched.'),
  }),
);

export const browserProcess = z.lazy(() =>
  z.object({
    id: z.string().describe('For DELETE /v2/health/browsers/:id. For a session, the ID of the session.'),
    kind: z.enum(['pages', 'session']).describe('pages: it renders pages for scrapes. session: a caller drives it.'),
    process: z.string().describe('The process of the service that runs it (TRAWL_PROCESS_NAME).'),
    pid: z.int().describe('Process ID; 0 while the browser starts.'),
    state: z
      .enum(['starting', 'running', 'retiring'])
      .describe('retiring: it takes no new pages, and ends with its last one.'),
    startedAt: z.string(),
    memoryBytes: z.int().describe('Private memory of all of its processes; 0 where the system does not tell.'),
    openPages: z.int().optional().describe('Pages that it renders now.'),
    servedPages: z.int().optional().describe('Pages that it has rendered.'),
    session: sessionOfProcess.optional(),
  }),
);

export const listBrowserProcessesResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      available: z.boolean().describe('Whether any process has a browser that starts.'),
      problem: z.string().optional().describe('Why not.'),
      maxPages: z
        .int()
        .describe(
          'How many pages are rendered at the same time, at most, in all processes (TRAWL_BROWSER_PAGES each).',
        ),
      processes: z.array(browserProcess),
      asked: z
        .array(
          z.object({
            process: z.string(),
            answered: z.boolean().describe('False: its browsers are missing here.'),
          }),
        )
        .describe('The processes of the service.'),
    }),
  }),
);

export const endBrowserProcessResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      id: z.string(),
      kind: z.enum(['pages', 'session']),
      retriedPages: z.int().describe('Pages that were open in it. They are loaded again in another browser.'),
    }),
  }),
);

export type ListedBrowserProcess = z.output<typeof browserProcess>;
export type ListBrowserProcessesResponse = z.output<typeof listBrowserProcessesResponse>;
export type EndBrowserProcessResponse = z.output<typeof endBrowserProcessResponse>;
