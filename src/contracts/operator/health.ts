// What health checks answer: whether the service runs, and for its operator, what it runs with.
import { z } from 'zod';
import { MODEL_PURPOSES } from './model-purpose.ts';

export const health = z.lazy(() => z.object({ status: z.literal('ok') }));

const problem = z.string().optional().describe('Why it cannot be used now.');

export const healthDetails = z.lazy(() =>
  z.object({
    status: z.enum(['ok', 'not ready']),
    problem: z.string().optional().describe('Why the service is not ready.'),
    uptimeSeconds: z.int().describe('How long the process runs.'),
    versions: z.object({ trawl: z.string(), node: z.string(), sqlite: z.string() }),
    models: z
      .array(
        z.object({
          purpose: z.enum(MODEL_PURPOSES),
          model: z.string().nullable().describe('As in the settings. Null: none is set.'),
          state: z.enum(['answers', 'fails', 'unknown', 'none']).describe('unknown: it has not answered yet.'),
          problem,
        }),
      )
      .describe('Which language model answers, by purpose.'),
    browser: z.object({ available: z.boolean(), problem, browsers: z.int(), pages: z.int() }),
    redaction: z.object({ available: z.boolean(), problem }).describe('The model for `redactPII`.'),
    reader: z
      .enum(['ready', 'installing', 'missing', 'off'])
      .describe('The model that finds values and answers in the text of pages. off: TRAWL_READER.'),
    index: z.object({ changes: z.int(), waiting: z.int().describe('Changes that searches do not see yet.') }),
    processes: z
      .array(
        z.object({
          id: z.string().describe('New with every start.'),
          name: z.string().describe('TRAWL_PROCESS_NAME.'),
          role: z.string().describe('TRAWL_ROLE.'),
          version: z.string(),
          url: z.string().describe('Where the others reach it.'),
          hasBrowser: z.boolean(),
          startedAt: z.iso.datetime(),
          seenAt: z.iso.datetime().describe('A process is dead that has not been seen for 20 seconds.'),
          isThis: z.boolean().describe('The one that answers.'),
        }),
      )
      .describe('The living processes of this installation.'),
    storage: z.object({
      cacheBytes: z.int(),
      storeBytes: z.int(),
      unfinishedJobs: z.int(),
      shared: z.boolean().describe('Whether other processes can use the same database.'),
    }),
  }),
);
export type HealthDetails = z.infer<typeof healthDetails>;
