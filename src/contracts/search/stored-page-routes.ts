// The routes to look at what is stored and searched, and to delete it.
import {
  deletePagesQuery,
  deletePagesResponse,
  pageDiffQuery,
  pageDiffResponse,
  pageVersionsResponse,
  storedHostsQuery,
  storedHostsResponse,
  storedPageQuery,
  storedPageResponse,
  storedPagesQuery,
  storedPagesResponse,
} from './stored-pages.ts';

const PAGES = '/v2/index/pages';
const PAGE = '/v2/index/page';

export const STORED_PAGE_ROUTES = {
  listHosts: {
    method: 'GET',
    path: '/v2/index/hosts',
    summary: 'List the hosts that pages are stored of',
    query: storedHostsQuery,
    response: storedHostsResponse,
  },
  listPages: {
    method: 'GET',
    path: PAGES,
    summary: 'List stored pages, of one host or of all, in the order of their URLs',
    query: storedPagesQuery,
    response: storedPagesResponse,
  },
  deletePages: {
    method: 'DELETE',
    path: PAGES,
    summary: 'Delete pages, or all pages of a host, from the cache and from the index, with their versions',
    query: deletePagesQuery,
    repeatable: ['url'],
    response: deletePagesResponse,
  },
  getPage: {
    method: 'GET',
    path: PAGE,
    summary: 'Get what is stored of a page, without fetching it',
    query: storedPageQuery,
    response: storedPageResponse,
    fails: ['PAGE_NOT_STORED'],
  },
  pageVersions: {
    method: 'GET',
    path: `${PAGE}/versions`,
    summary: 'List the last versions of a page whose changes your team tracks',
    query: storedPageQuery,
    response: pageVersionsResponse,
  },
  pageDiff: {
    method: 'GET',
    path: `${PAGE}/diff`,
    summary: 'Compare two versions of a page whose changes your team tracks',
    query: pageDiffQuery,
    response: pageDiffResponse,
    fails: ['VERSION_NOT_FOUND'],
  },
} as const;
