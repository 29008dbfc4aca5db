// GET /v2/search/research/...: papers, one paper, papers related to it, and GitHub. The shapes of the public SDK.
import { z } from 'zod';
import { day, flag, listOf, question, wholeNumber } from '../query-fields.ts';
import { PAPER_RELATIONS } from './paper.ts';

export const MAX_PAPERS = 500;
const DEFAULT_PAPERS = 40;
const MAX_PASSAGES = 50;
export const DEFAULT_PASSAGES = 4;
const MAX_ANCHORS = 9;

export const searchPapersQuery = z
  .object({
    query: question('query').describe('What the papers are about, in plain words.'),
    k: wholeNumber('k', 1, MAX_PAPERS).default(DEFAULT_PAPERS).describe('Number of papers.'),
    offset: wholeNumber('offset', 0, MAX_PAPERS - 1)
      .default(0)
      .describe('Number of papers to skip, for the next page.'),
    authors: listOf('authors', 10)
      .default(() => [])
      .describe('Parts of names; each must be part of the name of an author. Repeat it, or put commas between names.'),
    categories: listOf('categories', 10)
      .default(() => [])
      .describe('Categories of arXiv, for example cs.LG; a paper must have all of them.'),
    from: day('from').optional().describe('First day on which a paper was published or updated.'),
    to: day('to').optional().describe('Last day.'),
  })
  .superRefine(({ from, to, k, offset }, context) => {
    if (from !== undefined && to !== undefined && from > to) {
      context.addIssue({ code: 'custom', path: ['from'], message: '`from` must not be later than `to`.' });
    }
    if (k + offset > MAX_PAPERS) {
      const message = `\`offset\` and \`k\` together must not exceed ${MAX_PAPERS}.`;
      context.addIssue({ code: 'custom', path: ['offset'], message });
    }
  });

export const getPaperQuery = z
  .object({
    query: question('query').optional().describe('Returns the passages of the full text that answer it best.'),
    k: wholeNumber('k', 1, MAX_PASSAGES).optional().describe(`Number of passages; ${DEFAULT_PASSAGES} by default.`),
  })
  .superRefine(({ query, k }, context) => {
    if (k === undefined || query !== undefined) return;
    const message = '`k` is the number of passages. Send it together with `query`.';
    context.addIssue({ code: 'custom', path: ['k'], message });
  });

export const similarPapersQuery = z.object({
  intent: question('intent').describe('What the related papers should be about; they are ranked by it.'),
  mode: z
    .enum(PAPER_RELATIONS, { error: `\`mode\` must be one of ${PAPER_RELATIONS.join(', ')}.` })
    .default('similar')
    .describe('similar: related works; citers: papers that cite it; references: papers that it cites.'),
  k: wholeNumber('k', 1, MAX_PAPERS).default(DEFAULT_PAPERS).describe('Number of papers.'),
  rerank: flag('rerank').default(false).describe('Ranks by `intent` alone.'),
  anchor: z
    .array(z.string().trim().min(1).max(400))
    .max(MAX_ANCHORS)
    .default(() => [])
    .describe('Ids of further papers to start from.'),
});

export const searchGithubQuery = z.object({
  query: question('query').describe('What to look for, in plain words.'),
  k: wholeNumber('k', 1, 100).default(20).describe('Number of results.'),
});

const ids = z.lazy(() =>
  z.record(z.string(), z.array(z.string())).describe('Ids by namespace: arxiv, doi, pmid, pmcid, openalex.'),
);

export const paper = z.lazy(() =>
  z.object({
    paperId: z.string().describe('Names the paper in paths.'),
    ids,
    title: z.string(),
    abstract: z.string(),
    authors: z.string().optional().describe('Names, joined by commas.'),
    categories: z.array(z.string()).optional(),
    createdDate: z.string().optional(),
    updateDate: z.string().optional(),
  }),
);

export const paperResult = z.lazy(() =>
  z.object({
    ...paper.unwrap().shape,
    primaryId: z.string().describe('The id to cite, for example arxiv:2301.00001.'),
    score: z.number(),
    signals: z
      .object({
        structural: z.number().describe('How many relations connect it with the papers that were given.'),
        semantic: z.number().describe('How well title and abstract fit `intent`, from 0 to 1.'),
        articleRank: z.number().describe('How often it is cited, compared with the others, from 0 to 1.'),
        seedOverlap: z.int().describe('How many of the given papers it is related to.'),
      })
      .optional(),
  }),
);

const billed = { creditsUsed: z.int(), warning: z.string().optional() };

export const searchPapersResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    results: z.array(paperResult),
    ...billed,
  }),
);

export const getPaperResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    paper,
    paperId: z.string().optional().describe('With `query`: the id of the paper.'),
    query: z.string().optional(),
    passages: z
      .array(z.object({ text: z.string(), score: z.number() }))
      .optional()
      .describe('With `query`: the best passages of the full text. Empty if there is no full text.'),
    ...billed,
  }),
);

export const similarPapersResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    results: z.array(paperResult),
    poolSize: z.int().describe('How many papers there were to choose from.'),
    truncated: z.boolean().describe('Whether there were more than `k`.'),
    note: z.string().optional().describe('Why there are no results.'),
    ...billed,
  }),
);

export const searchGithubResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    results: z.array(
      z.object({
        resultType: z.enum(['github_history', 'repo_readme']),
        repo: z.string(),
        url: z.string(),
        pageType: z.enum(['issue', 'pull']).optional(),
        number: z.int().optional(),
        readmeUrl: z.string().optional(),
        title: z.string().optional(),
        snippet: z.string(),
        contentMd: z.string().optional(),
        scores: z.object({ rrf: z.number().optional(), lexical: z.number().optional() }),
      }),
    ),
    ...billed,
  }),
);

export type SearchPapersQuery = z.output<typeof searchPapersQuery>;
export type SimilarPapersQuery = z.output<typeof similarPapersQuery>;
export type SearchGithubQuery = z.output<typeof searchGithubQuery>;
export type PaperResult = z.output<typeof paperResult>;
export type PaperMetadata = z.output<typeof getPaperResponse>['paper'];
export type SearchPapersResponse = z.output<typeof searchPapersResponse>;
export type GetPaperResponse = z.output<typeof getPaperResponse>;
export type SimilarPapersResponse = z.output<typeof similarPapersResponse>;
export type SearchGithubResponse = z.output<typeof searchGithubResponse>;
