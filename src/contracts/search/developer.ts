// GET and POST /v2/search/developer: issues, pull requests and READMEs of GitHub, and documentation in the own index.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { flag, listOf, question, wholeNumber } from '../query-fields.ts';
import { clientFields } from '../scrape/scrape.ts';

export const DEVELOPER_TYPES = ['doc', 'issue', 'pull_request', 'readme'] as const;
export type DeveloperType = (typeof DEVELOPER_TYPES)[number];

const MAX_RESULTS = 100;
const MAX_PASSAGES = 5;
const MAX_SCOPES = 20;
const MAX_TOPICS = 8;
const MAX_TYPES = 20;
const MAX_STARS = 999_999_999;

const type = z.enum(DEVELOPER_TYPES, { error: `\`types\` takes ${DEVELOPER_TYPES.join(', ')}.` });
const repo = nameText.regex(
  /^[\w-][\w.-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/,
  'Write repositories as owner/name, for example nodejs/node.',
);
const word = z.string().trim().min(1).max(100);
const source = z.string().trim().min(1).max(512);

/** The same fields for JSON and for query strings, where everything is a text. */
const fields = {
  query: question('query').describe('A question or words to look for.'),
  language: word.optional().describe('Main language of the repository.'),
  license: word.optional().describe('SPDX id of the license of the repository.'),
  skills: z.literal('only', { error: '`skills` can only be "only".' }).optional().describe('Only SKILL.md files.'),
};

const TEXTS = {
  k: 'Number of results.',
  passages: 'Passages per result.',
  types: `Kinds of results: ${DEVELOPER_TYPES.join(', ')}. All by default.`,
  repos: 'Only these repositories (owner/name).',
  sources: 'Only documentation on these hosts.',
  topic: 'Topics that the repository must have.',
  min_stars: 'Repositories with at least this many stars.',
  max_stars: 'Repositories with at most this many stars.',
  archived: 'true: only archived repositories; false: none of them.',
  fork: 'true: only forks; false: none of them.',
};

export const developerRequest = z
  .object({
    ...fields,
    k: z.int().min(1).max(MAX_RESULTS).default(10).describe(TEXTS.k),
    passages: z.int().min(1).max(MAX_PASSAGES).default(1).describe(TEXTS.passages),
    types: z
      .array(type)
      .min(1)
      .max(MAX_TYPES)
      .default([...DEVELOPER_TYPES])
      .describe(TEXTS.types),
    repos: z
      .array(repo)
      .max(MAX_SCOPES)
      .default(() => [])
      .describe(TEXTS.repos),
    sources: z
      .array(source)
      .max(MAX_SCOPES)
      .default(() => [])
      .describe(TEXTS.sources),
    topic: z
      .array(word)
      .max(MAX_TOPICS)
      .default(() => [])
      .describe(TEXTS.topic),
    min_stars: z.int().min(0).max(MAX_STARS).optional().describe(TEXTS.min_stars),
    max_stars: z.int().min(0).max(MAX_STARS).optional().describe(TEXTS.max_stars),
    archived: z.boolean().optional().describe(TEXTS.archived),
    fork: z.boolean().optional().describe(TEXTS.fork),
    ...clientFields,
  })
  .superRefine(checkScopes);

export const developerQuery = z
  .object({
    ...fields,
    k: wholeNumber('k', 1, MAX_RESULTS).default(10).describe(TEXTS.k),
    passages: wholeNumber('passages', 1, MAX_PASSAGES).default(1).describe(TEXTS.passages),
    types: listOf('types', DEVELOPER_TYPES.length)
      .pipe(z.array(type))
      .transform((types) => (types.length > 0 ? types : [...DEVELOPER_TYPES]))
      .default([...DEVELOPER_TYPES])
      .describe(TEXTS.types),
    repos: listOf('repos', MAX_SCOPES)
      .pipe(z.array(repo))
      .default(() => [])
      .describe(TEXTS.repos),
    sources: listOf('sources', MAX_SCOPES, 512)
      .default(() => [])
      .describe(TEXTS.sources),
    topic: listOf('topic', MAX_TOPICS, 100)
      .default(() => [])
      .describe(TEXTS.topic),
    min_stars: wholeNumber('min_stars', 0, MAX_STARS).optional().describe(TEXTS.min_stars),
    max_stars: wholeNumber('max_stars', 0, MAX_STARS).optional().describe(TEXTS.max_stars),
    archived: flag('archived').optional().describe(TEXTS.archived),
    fork: flag('fork').optional().describe(TEXTS.fork),
  })
  .superRefine(checkScopes);

interface Scopes {
  types: readonly DeveloperType[];
  repos: readonly string[];
  sources: readonly string[];
}

/** A scope that cannot match any requested type would return nothing without saying so. */
function checkScopes({ types, repos, sources }: Scopes, context: z.RefinementCtx): void {
  if (repos.length > 0 && types.every((one) => one === 'doc')) {
    const message = '`repos` cannot match any requested type; add issue, pull_request or readme, or drop `repos`.';
    context.addIssue({ code: 'custom', path: ['repos'], message });
  }
  if (sources.length > 0 && !types.includes('doc')) {
    const message = '`sources` cannot match any requested type; add doc, or drop `sources`.';
    context.addIssue({ code: 'custom', path: ['sources'], message });
  }
}

const coverage = z.enum(['ok', 'degraded', 'unavailable', 'skipped']);

export const developerResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    results: z.array(
      z.object({
        id: z.string().describe('For example issue:owner/name#1, readme:owner/name or doc:URL.'),
        type,
        url: z.string(),
        title: z.string().optional(),
        passages: z.array(z.object({ text: z.string(), citation_url: z.string().optional() })),
        license: z
          .object({ state: z.enum(['licensed', 'known_absent', 'unknown']), spdx_id: z.string().nullable() })
          .optional(),
      }),
    ),
    coverage: z
      .record(type, coverage)
      .describe(
        'ok; degraded: only a part could be searched; unavailable: it could not be searched; skipped: not asked for.',
      ),
    reranked: z.boolean(),
    repos: z
      .array(
        z.object({
          repo: z.string(),
          indexed: z.boolean().describe('Whether GitHub has it.'),
          types: z.object({ issue: z.boolean(), pullRequest: z.boolean(), readme: z.boolean() }),
        }),
      )
      .optional(),
    sources: z
      .array(z.object({ source: z.string(), indexed: z.boolean().describe('Whether the own index has pages of it.') }))
      .optional(),
    creditsUsed: z.int(),
    warning: z.string().optional(),
  }),
);

export type DeveloperRequest = Omit<z.output<typeof developerRequest>, keyof typeof clientFields>;
export type DeveloperResponse = z.output<typeof developerResponse>;
export type Coverage = z.output<typeof coverage>;
