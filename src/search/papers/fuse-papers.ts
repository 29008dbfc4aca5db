// Makes one list from what several catalogues found: records of the same paper are merged, whichever ids they share.
import type { Paper, PaperIds } from '../../contracts/search/paper.ts';
import { wordsOf } from '../../text/words/tokenizer.ts';
import { fuse, type RankedResult } from '../fuse.ts';

export interface PaperList {
  provider: string;
  items: readonly RankedResult<Paper>[];
}

export interface FusedPaper {
  paper: Paper;
  score: number;
  /** The lists that contain it. */
  providers: string[];
}

/** Shorter titles ("Introduction") name many papers. */
const MIN_TITLE_WORDS = 4;
const MIN_TITLE_LENGTH = 20;
const MAX_FULL_TEXTS = 6;

export function fusePapers(lists: readonly PaperList[], limit: number): FusedPaper[] {
  const groupOf = groupPapers(lists.flatMap(({ items }) => items.map(({ result }) => result)));
  const groups = Map.groupBy(groupOf.keys(), (paper) => groupOf.get(paper)!);
  const named = lists.map(({ provider, items }) => ({
    provider,
    items: items.map(({ result, rank }) => ({
      result: { url: String(groupOf.get(result)), title: '', description: '' },
      rank,
    })),
  }));
  return fuse(named, { keyOf: (group) => group, limit }).map(({ result, score, given }) => ({
    paper: mergePapers(groups.get(Number(result.url))!),
    score,
    providers: given.map(({ provider }) => provider),
  }));
}

/** The number of each paper's group. Two papers that share any key are one paper, and so are their groups. */
function groupPapers(papers: readonly Paper[]): Map<Paper, number> {
  const parents: number[] = [];
  const rootOf = (group: number): number => {
    let root = group;
    while (parents[root] !== root) root = parents[root]!;
    return root;
  };
  const byKey = new Map<string, number>();
  const ownGroup = new Map<Paper, number>();
  for (const paper of papers) {
    const own = parents.push(parents.length) - 1;
    ownGroup.set(paper, own);
    for (const key of keysOf(paper)) {
      const other = byKey.get(key);
      if (other === undefined) byKey.set(key, own);
      else parents[rootOf(own)] = rootOf(other);
    }
  }
  return new Map([...ownGroup].map(([paper, group]) => [paper, rootOf(group)]));
}

function keysOf({ ids, title, authors }: Paper): string[] {
  const keys = Object.entries(ids).map(([namespace, value]) => `${namespace}:${value}`);
  const words = wordsOf(title);
  const name = words.join(' ');
  if (words.length >= MIN_TITLE_WORDS && name.length >= MIN_TITLE_LENGTH) {
    // A preprint and its article have different ids, but the same title and first author.
    keys.push(`title:${name} by ${authors[0] === undefined ? '' : lastName(authors[0])}`);
  }
  return keys;
}

const lastName = (author: string): string => wordsOf(author).at(-1) ?? '';

/** Every field from the record that says most about it. */
export function mergePapers(papers: readonly Paper[]): Paper {
  const longest = (texts: string[]) => texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  const days = (name: 'created' | 'updated') => papers.flatMap((paper) => paper[name] ?? []).toSorted();
  const citations = papers.flatMap((paper) => paper.citations ?? []);
  const [created, updated] = [days('created')[0], days('updated').at(-1)];
  // Papers on arXiv are free for everybody.
  const fullTexts = [...new Set(papers.flatMap((paper) => paper.fullTexts))];
  fullTexts.sort((a, b) => Number(b.includes('arxiv')) - Number(a.includes('arxiv')));
  return {
    ids: Object.assign({}, ...papers.map((paper) => paper.ids).toReversed()) as PaperIds,
    title: papers.find(({ title }) => title !== '')?.title ?? '',
    abstract: longest(papers.map(({ abstract }) => abstract)),
    authors: papers.map(({ authors }) => authors).reduce((most, some) => (some.length > most.length ? some : most)),
    categories: [...new Set(papers.flatMap((paper) => paper.categories))],
    ...(created !== undefined && { created }),
    ...(updated !== undefined && { updated }),
    ...(citations.length > 0 && { citations: Math.max(...citations) }),
    fullTexts: fullTexts.slice(0, MAX_FULL_TEXTS),
  };
}
