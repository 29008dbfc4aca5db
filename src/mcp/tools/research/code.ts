// What programmers look for: issues, pull requests and READMEs of GitHub, and documentation.
import { z } from 'zod';
import { fitAnswer } from '../../answer/fit-answer.ts';
import { optional, required } from '../../input/lenient.ts';
import { tool } from '../../tool.ts';
import { READS_WEB } from '../annotations.ts';
import { output, records } from '../output.ts';

const FEWER = 'Set a smaller `k`.';
const query = () => required(z.string());
const k = () => optional(z.int().min(1).max(100));

export const developerSearch = tool({
  name: 'firecrawl_developer_search',
  title: 'Search code knowledge',
  description:
    'Searches issues, pull requests and READMEs of GitHub, and documentation: for error messages, APIs and known bugs. skills "only" finds SKILL.md files.',
  input: z.object({ query: query(), k: k(), skills: optional(z.literal('only')) }),
  output: output({ results: records() }),
  annotations: READS_WEB,
  run: async (body, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('developerSearchByPost', { body, signal }), { maxAnswer, advice: FEWER }),
});

export const searchGithub = tool({
  name: 'firecrawl_research_search_github',
  title: 'Search GitHub',
  description:
    'Searches issues, pull requests and READMEs of GitHub. firecrawl_developer_search also has documentation.',
  input: z.object({ query: query(), k: k() }),
  output: output({ results: records() }),
  annotations: READS_WEB,
  run: async (asked, { api, signal, maxAnswer }) =>
    fitAnswer(await api.call('searchGithub', { query: asked, signal }), { maxAnswer, advice: FEWER }),
});
