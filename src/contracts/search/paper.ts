// A scientific paper as the parts of the service exchange it, and what catalogues of papers can be asked for.

/** In order of preference: the first id that a paper has names it. */
export const PAPER_NAMESPACES = ['arxiv', 'doi', 'pmid', 'pmcid', 'openalex'] as const;
export type PaperNamespace = (typeof PAPER_NAMESPACES)[number];

/** One id of a paper, in the spelling that `search/papers/paper-id.ts` gives it. */
export interface PaperRef {
  namespace: PaperNamespace;
  value: string;
}

export type PaperIds = Partial<Record<PaperNamespace, string>>;

export interface Paper {
  ids: PaperIds;
  title: string;
  abstract: string;
  authors: string[];
  /** Subjects as arXiv names them: `cs.LG`. */
  categories: string[];
  /** ISO days. */
  created?: string;
  updated?: string;
  /** How often other papers cite it. */
  citations?: number;
  /** URLs where its full text may be, best first. */
  fullTexts: string[];
}

export const PAPER_RELATIONS = ['similar', 'citers', 'references'] as const;
export type PaperRelation = (typeof PAPER_RELATIONS)[number];

/** Beside the words of the query. */
export interface PaperFilter {
  /** Each must be part of the name of an author. */
  authors?: readonly string[];
  /** The paper must belong to all of them. */
  categories?: readonly string[];
  /** Only this paper. */
  ref?: PaperRef;
  /** Only papers in this relation to a work of OpenAlex. */
  relation?: { mode: PaperRelation; work: string };
}
