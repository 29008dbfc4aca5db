// Scientific papers: find them, show one, find those around it, and read passages of one.
import { z } from 'zod';
import { PAPER_RELATIONS } from '../../../contracts/search/paper.ts';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { READS_WEB } from '../annotations.ts';
import { anyRecord, output, records } from '../output.ts';

/** Enough for a first look: every paper comes with its abstract. */
const DEFAULT_PAPERS = 10;
const FEWER = 'Set a smaller `k`, or a more exact query.';

const words = () => required(z.string());
const count = (most: number) => optional(z.int().min(1).max(most));
const paperId = () =>
  required(z.string().describe('For example arxiv:1706.03762, doi:10.1038/nature14539 or pmid:40953549.'));
const day = () => optional(z.string().describe('YYYY-MM-DD'));

export const searchPapers = tool({
  name: 'firecrawl_research_search_papers',
  title: 'Search scientific papers',
  description: 'Searches papers in OpenAlex, arXiv, Crossref and PubMed, with abstracts. Default: 10 papers.',
  input: z.object({
    query: words(),
    k: count(500),
    authors: optional(z.array(z.string())),
    categories: optional(z.array(z.string()).describe('Of arXiv, for example cs.LG.')),
    from: day(),
    to: day(),
  }),
  output: output({ results: records() }),
  annotations: READS_WEB,
  run: async ({ k = DEFAULT_PAPERS, ...query }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('searchPapers', { query: { ...query, k }, signal }), { maxAnswer, advice: FEWER }),
});

export const inspectPaper = tool({
  name: 'firecrawl_research_inspect_paper',
  title: 'Show a paper',
  description: 'Shows title, authors, abstract, dates and ids of a paper.',
  input: z.object({ paperId: paperId() }),
  output: output({ paper: anyRecord().optional() }),
  annotations: READS_WEB,
  run: async ({ paperId: id }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('getPaper', { params: { id }, signal }), { maxAnswer }),
});

export const relatedPapers = tool({
  name: 'firecrawl_research_related_papers',
  title: 'Find related papers',
  description:
    'Finds papers around one or more papers, ranked by what you look for: similar ones, those that cite them (citers), or those they cite (references).',
  input: z.object({
    seed_ids: required(z.array(z.string()).min(1).max(10)),
    intent: required(z.string().describe('What the papers should be about.')),
    mode: optional(z.enum(PAPER_RELATIONS)),
    k: count(500),
    rerank: optional(z.boolean().describe('Ranks by the intent alone.')),
  }),
  output: output({ results: records() }),
  annotations: READS_WEB,
  async run({ seed_ids: [id = '', ...anchor], k = DEFAULT_PAPERS, ...query }, { api, signal, maxAnswer }) {
    const call = { params: { id }, query: { ...query, k, anchor }, signal };
    return fitAnswer(await api.call('similarPapers', call), { maxAnswer, advice: FEWER });
  },
});

export const readPaper = tool({
  name: 'firecrawl_research_read_paper',
  title: 'Read passages of a paper',
  description: 'Returns the passages of the full text of a paper that answer a question best. Default: 4 passages.',
  input: z.object({ paperId: paperId(), question: words(), k: count(50) }),
  output: output({ passages: records(), paper: anyRecord().optional() }),
  annotations: READS_WEB,
  run: async ({ paperId: id, question: query, k }, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('getPaper', { params: { id }, query: { query, k }, signal }), {
      maxAnswer,
      advice: 'Set a smaller `k`.',
    }),
});
