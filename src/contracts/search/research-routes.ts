// The routes that search papers, GitHub and documentation.

import { RESEARCH_ERRORS } from '../errors/route-errors.ts';
import { developerQuery, developerRequest, developerResponse } from './developer.ts';
import {
  getPaperQuery,
  getPaperResponse,
  searchGithubQuery,
  searchGithubResponse,
  searchPapersQuery,
  searchPapersResponse,
  similarPapersQuery,
  similarPapersResponse,
} from './research.ts';

const PAPERS = '/v2/search/research/papers';
const FORMER_PAPERS = '/v2/research/papers';

const readDeveloper = {
  method: 'GET',
  summary: 'Search issues, pull requests and READMEs of GitHub, and documentation in the own index',
  query: developerQuery,
  repeatable: ['types', 'repos', 'sources', 'topic'],
  response: developerResponse,
  fails: RESEARCH_ERRORS,
} as const;

const postDeveloper = {
  method: 'POST',
  summary: 'The same, with the options as JSON',
  request: developerRequest,
  response: developerResponse,
  fails: RESEARCH_ERRORS,
  fetches: false,
} as const;

export const RESEARCH_ROUTES = {
  searchPapers: {
    method: 'GET',
    path: PAPERS,
    formerly: FORMER_PAPERS,
    summary: 'Search scientific papers in OpenAlex, arXiv, Crossref and PubMed',
    query: searchPapersQuery,
    repeatable: ['authors', 'categories'],
    response: searchPapersResponse,
    errorStyle: 'detailed',
    fails: RESEARCH_ERRORS,
  },
  getPaper: {
    method: 'GET',
    path: `${PAPERS}/:id`,
    formerly: `${FORMER_PAPERS}/:id`,
    summary: 'Get what is known about a paper, and with `query` the best passages of its full text',
    query: getPaperQuery,
    response: getPaperResponse,
    errorStyle: 'detailed',
    fails: RESEARCH_ERRORS,
  },
  similarPapers: {
    method: 'GET',
    path: `${PAPERS}/:id/similar`,
    formerly: `${FORMER_PAPERS}/:id/similar`,
    summary: 'Find papers that are related to a paper, cite it, or are cited by it',
    query: similarPapersQuery,
    repeatable: ['anchor'],
    response: similarPapersResponse,
    errorStyle: 'detailed',
    fails: RESEARCH_ERRORS,
  },
  searchGithub: {
    method: 'GET',
    path: '/v2/search/research/github',
    formerly: '/v2/research/github',
    summary: 'Search issues, pull requests and READMEs of GitHub',
    query: searchGithubQuery,
    response: searchGithubResponse,
    errorStyle: 'detailed',
    fails: RESEARCH_ERRORS,
  },
  developerSearch: { ...readDeveloper, path: '/v2/search/developer' },
  developerSearchByPost: { ...postDeveloper, path: '/v2/search/developer' },
  developerSearchAlias: { ...readDeveloper, path: '/v2/developer/search' },
  developerSearchAliasByPost: { ...postDeveloper, path: '/v2/developer/search' },
} as const;
