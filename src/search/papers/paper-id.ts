// Ids of papers, as people and catalogues write them: bare, with a prefix, or as a URL. Each has one spelling here.
import { PAPER_NAMESPACES, type PaperIds, type PaperNamespace, type PaperRef } from '../../contracts/search/paper.ts';

const MAX_LENGTH = 400;
const ARXIV = /^(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i;
const DOI = /^10\.\d{4,9}\/[^\s<>"]{1,300}$/;
const ARXIV_DOI = /^10\.48550\/arxiv\./i;

const SPELLINGS: Readonly<Record<PaperNamespace, (text: string) => string | undefined>> = {
  arxiv: (text) => ARXIV.exec(text)?.[1]?.toLowerCase(),
  doi: (text) => (DOI.test(text) ? text.toLowerCase() : undefined),
  pmid: (text) => (/^[1-9]\d{0,8}$/.test(text) ? text : undefined),
  pmcid: (text) => /^(?:PMC)?([1-9]\d{0,8})$/i.exec(text)?.[1]?.replace(/^/, 'PMC'),
  openalex: (text) => (/^W[1-9]\d{0,11}$/i.test(text) ? text.toUpperCase() : undefined),
};

/** What an address of these sites says about a paper; the first group is its id. */
const ADDRESSES: readonly [PaperNamespace, RegExp][] = [
  ['doi', /^(?:dx\.|www\.)?doi\.org\/(.+)$/i],
  ['arxiv', /^(?:export\.|www\.)?arxiv\.org\/(?:abs|pdf|html|e-print)\/(.+?)(?:\.pdf)?$/i],
  ['pmid', /^(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov\/pubmed)\/(\d+)$/i],
  ['pmcid', /^(?:pmc\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov\/pmc)\/articles\/(PMC\d+)(?:\/.*)?$/i],
  ['openalex', /^(?:api\.)?openalex\.org\/(?:works\/)?(W\d+)$/i],
];

/** Undefined if the text is not the ID of a paper. */
export function readPaperRef(given: string): PaperRef | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const text = decoded(given.trim());
  const address = /^https?:\/\/([^?#]+)/i.exec(text)?.[1]?.replace(/\/+$/, '');
  if (address !== undefined) {
    for (const [namespace, pattern] of ADDRESSES) {
      const id = pattern.exec(address)?.[1];
      if (id !== undefined) return spelled(namespace, id);
    }
    return undefined;
  }
  const [, prefix, rest] = /^(arxiv|doi|pmid|pmcid|openalex)\s*:\s*(.+)$/i.exec(text) ?? [];
  if (prefix !== undefined) return spelled(prefix.toLowerCase() as PaperNamespace, unescapedId(rest!));
  for (const namespace of PAPER_NAMESPACES) {
    // A bare number is one of PubMed; PubMed Central writes PMC in front.
    if (namespace === 'pmcid' && !/^PMC/i.test(text)) continue;
    const ref = spelled(namespace, text);
    if (ref) return ref;
  }
  return undefined;
}

function spelled(namespace: PaperNamespace, text: string): PaperRef | undefined {
  if (namespace === 'doi' && ARXIV_DOI.test(text)) return spelled('arxiv', text.replace(ARXIV_DOI, ''));
  const value = SPELLINGS[namespace](text);
  return value === undefined ? undefined : { namespace, value };
}

/** The id in that namespace, if the text of a catalogue is one; for a DOI of arXiv, that of arXiv. */
export function idsIn(...texts: unknown[]): PaperIds {
  const ids: PaperIds = {};
  for (const text of texts) {
    const ref = typeof text === 'string' ? readPaperRef(text) : undefined;
    if (ref) ids[ref.namespace] ??= ref.value;
  }
  return ids;
}

/** The id to cite and to ask with: `arxiv:2301.00001`, `doi:10.1000/xyz`. */
export function primaryIdOf(ids: PaperIds): string {
  const namespace = PAPER_NAMESPACES.find((name) => ids[name] !== undefined);
  return namespace === undefined ? '' : `${namespace}:${ids[namespace]}`;
}

/** The same id, fit for a path as it stands: `doi:10.1000~2Fxyz`. */
export function paperIdOf(ids: PaperIds): string {
  const [namespace, ...rest] = primaryIdOf(ids).split(':');
  return `${namespace}:${encodeURIComponent(rest.join(':')).replaceAll('~', '%7E').replaceAll('%', '~')}`;
}

/** An id that `paperIdOf` wrote has no slash; a DOI that somebody typed has one. */
const unescapedId = (text: string): string =>
  text.includes('/') || !text.includes('~') ? text : decoded(text.replaceAll('~', '%'));

function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
