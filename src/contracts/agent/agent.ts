// POST /v2/agent and its status, list, threads. What the trace looks like is in agent-trace.ts.
import { z } from 'zod';
import type { Citation } from '../../page/understanding.ts';
import { isUuid } from '../../util/ids.ts';
import { MAX_PROMPT_LENGTH, MAX_URL_LENGTH, nameText } from '../bounds.ts';
import { jsonSchema } from '../formats/formats.ts';
import { textList } from '../optional-text.ts';
import { flag } from '../query-fields.ts';
import { retention } from '../retention.ts';
import { citations } from '../scrape/document.ts';
import { location } from '../scrape/location.ts';
import { clientFields } from '../scrape/scrape.ts';
import { auditMetadata } from '../scrape/scrape-options.ts';
import { threatProtection } from '../threats/threat-protection.ts';
import { agentWebhook } from '../webhooks/webhook.ts';

export const DEFAULT_AGENT_CREDITS = 2_500;
export const MAX_AGENT_URLS = 10_000;
/** Runs on one page of the list. */
export const AGENT_LIST_PAGE = 20;

const EFFORTS = ['low', 'medium', 'high'] as const;
const MODES = ['extract', 'chat'] as const;

// Unknown keys are ignored. One of them is `exchange`, the market of paid data providers, which only the hosted service has.
export const agentRequest = z.object({
  prompt: z
    .string({ error: 'Set `prompt` to a description of what to find.' })
    .min(1, '`prompt` must not be empty.')
    .max(MAX_PROMPT_LENGTH, `\`prompt\` must have at most ${MAX_PROMPT_LENGTH} characters.`)
    .describe('What to find or to do, in plain words.'),
  urls: textList(MAX_AGENT_URLS, z.string().max(MAX_URL_LENGTH))
    .default(() => [])
    .describe('Pages to start from. Without them, the web is searched.'),
  schema: jsonSchema
    .optional()
    .describe('JSON Schema of `data`. A follow-up without it uses the one of the last turn.'),
  maxCredits: z
    .number()
    .gt(0)
    .default(DEFAULT_AGENT_CREDITS)
    .describe('A run that would use more ends as failed, and costs nothing.'),
  strictConstrainToURLs: z.boolean().default(false).describe('Reads only `urls` and the pages below them.'),
  model: nameText.optional().describe('Accepted and ignored: the operator sets the model (TRAWL_MODEL_AGENT).'),
  effort: z.enum(EFFORTS).optional().describe('How much the run may do: steps, pages and tokens.'),
  mode: z.enum(MODES).default('extract').describe('`chat` answers with a text in `message`.'),
  threadId: nameText
    .refine(isUuid, '`threadId` must be the ID of a thread: the `threadId` of an earlier run.')
    .optional()
    .describe('Continues the thread: the run knows the prompts and results of its earlier turns.'),
  location: location.default(() => location.parse({})),
  webhook: agentWebhook.optional(),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Deletes what the run reads and writes when it ends, and the result after an hour.'),
  retention: retention.optional(),
  threatProtection: threatProtection.optional(),
  auditMetadata: auditMetadata.optional().describe('Who the request is made for; shown in the audit log.'),
  ...clientFields,
});

export type AgentRequest = z.output<typeof agentRequest>;

/** The request as stored with the run. */
export type AgentRun = Omit<AgentRequest, 'webhook' | 'threadId'> & {
  /** Domains that the key was restricted to. */
  keyDomains?: string[];
  /** What links in the results begin with; no slash at its end. */
  baseUrl: string;
};

const suggestions = z.lazy(() => z.array(z.object({ label: z.string(), prompt: z.string() })));

/** What a run of an agent returns as its `result`. */
export interface AgentResult {
  /** Only of completed runs. */
  data?: unknown;
  /** What was found until a run failed or was cancelled, and whether it fits the schema. */
  partial?: unknown;
  partialSchemaValid?: boolean;
  /** The answer in words, in the mode `chat`. */
  message?: string;
  suggestions?: z.output<typeof suggestions>;
  /** By path in `data` or `partial`: `products[0].price`. */
  citations?: Record<string, Citation>;
  /** The URLs that the values come from, by the same paths. */
  sources?: Record<string, string[]>;
  warning?: string;
  /** Name of the language model; absent if none was used. */
  model?: string;
}

export const agentResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    threadId: z.string().describe('Send it with the next request to continue the thread.'),
    threadTurn: z.int().describe('Number of the run in its thread, from 1.'),
  }),
);

export type AgentResponse = z.output<typeof agentResponse>;

// Clients refuse any other word.
const status = z.enum(['processing', 'completed', 'failed']);
export type AgentStatus = z.output<typeof status>;

export const agentStatusResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    id: z.string(),
    status: status.describe('A cancelled run is `failed`, with `stopReason: "cancelled"`.'),
    data: z.unknown().optional().describe('Present if the run is completed.'),
    message: z.string().optional().describe('The answer in words, in the mode `chat`.'),
    suggestions: suggestions.optional().describe('Prompts to continue the thread with.'),
    citations: citations.optional().describe('Where each value stands, by its path in `data` or `partial`.'),
    sources: z.record(z.string(), z.array(z.string())).optional().describe('URLs that the values come from, by path.'),
    warning: z.string().optional(),
    error: z.string().optional().describe('Present if the run failed.'),
    partial: z.unknown().optional().describe('What a failed run had found.'),
    partialSchemaValid: z.boolean().optional().describe('Whether `partial` fits the schema.'),
    stopReason: z.string().optional().describe('Why the run ended early: `cancelled`, `max_credits`, `max_steps` ...'),
    model: z.string().describe('The language model, or `none`. Old Python clients get a name that they know.'),
    effort: z.enum(EFFORTS).optional(),
    mode: z.enum(MODES),
    creditsUsed: z.int(),
    expiresAt: z.string().describe('When the result is deleted.'),
    threadId: z.string(),
    threadTurn: z.int(),
  }),
);

export type AgentStatusResponse = z.output<typeof agentStatusResponse>;

export const agentListQuery = z.object({
  before: nameText
    .refine((text) => /^\d{1,15}$/.test(text), 'Invalid before timestamp.')
    .transform(Number)
    .optional()
    .describe('Only runs that were created before this time, in milliseconds since 1970.'),
});

export const agentListResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    agents: z.array(
      z.object({
        id: z.string(),
        createdAt: z.string(),
        targetHint: z.string().describe('The first URL, or the beginning of the prompt.'),
        origin: z.string(),
        integration: z.string().optional(),
        settings: z.object({ hidden: z.boolean(), starred: z.boolean() }),
        status,
        options: z.object({
          urls: z.array(z.string()).optional(),
          prompt: z.string(),
          schema: z.record(z.string(), z.unknown()).optional(),
          model: z.string(),
          effort: z.enum(EFFORTS).optional(),
        }),
      }),
    ),
    next: z.string().optional().describe('URL of the next page of the list.'),
  }),
);

export type AgentListResponse = z.output<typeof agentListResponse>;

export const agentCancelResponse = z.lazy(() => z.object({ success: z.literal(true) }));

export const agentThreadQuery = z.object({
  includeData: flag('includeData').optional().describe('Adds the `data` of each run.'),
});

const THREAD_RUN_STATUSES = [
  'processing',
  'succeeded',
  'failed',
  'cancelled',
  'refused',
  'credit_limit_reached',
] as const;
export type ThreadRunStatus = (typeof THREAD_RUN_STATUSES)[number];

export const agentThreadResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    thread: z.object({
      id: z.string(),
      createdAt: z.string(),
      updatedAt: z.string(),
      status: z.enum(['idle', 'running']),
      runs: z.array(
        z.object({
          id: z.string(),
          turn: z.int(),
          mode: z.enum(MODES),
          prompt: z.string(),
          urls: z.array(z.string()).optional(),
          schema: z.record(z.string(), z.unknown()).optional(),
          effort: z.enum(EFFORTS).optional(),
          status: z.enum(THREAD_RUN_STATUSES),
          createdAt: z.string(),
          finishedAt: z.string().nullable(),
          creditsUsed: z.int().nullable(),
          message: z.string().nullable(),
          suggestions: suggestions.optional(),
          data: z.unknown().optional().describe('With `includeData`.'),
          partial: z.unknown().optional(),
          partialSchemaValid: z.boolean().optional(),
          stopReason: z.string().optional(),
        }),
      ),
    }),
  }),
);

export type AgentThreadResponse = z.output<typeof agentThreadResponse>;
