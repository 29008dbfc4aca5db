// Compares the structure of a page with its label: edit similarity of code and formulas, tree edit similarity of tables, and
// F1 of the sequences of headings, list items and code spans.
import { editShare } from '../documents/similarity.ts';
import { countNodes, type TreeNode, treeDistance } from '../documents/tree-edit.ts';
import type { CodeListing, PageStructure } from './read-structure.ts';

export const MEASURES = [
  'code',
  'code languages',
  'code spans',
  'formulas',
  'tables',
  'headings',
  'list items',
] as const;
export type Measure = (typeof MEASURES)[number];
/** What was right, of how much: a share is the sum of the points over the sum of the weights. */
export interface Score {
  points: number;
  weight: number;
}

interface TableTree extends TreeNode {
  text: string | undefined;
  children: TableTree[];
}

export function scoreStructure(label: PageStructure, found: PageStructure): Record<Measure, Score> {
  const listings = align(label.listings, found.listings, (a, b) => 1 - editShare(tidy(a.text), tidy(b.text)));
  return {
    code: listings.score,
    'code languages': languages(label.listings, listings.pairs),
    'code spans': align(label.codeSpans, found.codeSpans, same).score,
    formulas: align(label.formulas, found.formulas, formulaSimilarity).score,
    tables: align(label.tables, found.tables, tableSimilarity).score,
    headings: align(label.headings, found.headings, same).score,
    'list items': align(label.items, found.items, same).score,
  };
}

const same = (a: string, b: string): number => (a === b ? 1 : 0);

/** White space at the end of a line does not count. */
const tidy = (code: string): string => code.replace(/[ \t]+$/gm, '').trimEnd();

/** By tokens: a long command is one mistake. */
function formulaSimilarity(a: string, b: string): number {
  const numbers = new Map<string, string>();
  const letters = (tex: string) =>
    tex
      .split(' ')
      .map((token) => {
        if (!numbers.has(token)) numbers.set(token, String.fromCharCode(0x100 + numbers.size));
        return numbers.get(token)!;
      })
      .join('');
  return 1 - editShare(letters(a), letters(b));
}

export function tableSimilarity(a: readonly string[][], b: readonly string[][]): number {
  const [left, right] = [treeOf(a), treeOf(b)];
  return 1 - treeDistance(left, right, rename) / Math.max(countNodes(left), countNodes(right));
}

const treeOf = (rows: readonly string[][]): TableTree => ({
  text: undefined,
  children: rows.map((row) => ({ text: undefined, children: row.map((text) => ({ text, children: [] })) })),
});

function rename(a: TableTree, b: TableTree): number {
  if (a.text === undefined || b.text === undefined) return a.text === b.text ? 0 : 1;
  return editShare(a.text, b.text);
}

function languages(labels: readonly CodeListing[], pairs: readonly [CodeListing, CodeListing][]): Score {
  const right = pairs.filter(([label, found]) => SAME_LANGUAGE(label.language, found.language)).length;
  return { points: right, weight: labels.length };
}

const NAMES: Record<string, string> = {
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  yml: 'yaml',
};
const SAME_LANGUAGE = (a: string, b: string): boolean => (NAMES[a] ?? a) === (NAMES[b] ?? b);

/** The order-keeping alignment with the most points; what is missing and what is too much both count as mistakes. */
function align<Item>(
  labels: readonly Item[],
  found: readonly Item[],
  similarity: (a: Item, b: Item) => number,
): { score: Score; pairs: [Item, Item][] } {
  const best = Array.from({ length: labels.length + 1 }, () => new Float64Array(found.length + 1));
  const points = labels.map((label) => found.map((item) => similarity(label, item)));
  for (let a = labels.length - 1; a >= 0; a--) {
    for (let b = found.length - 1; b >= 0; b--) {
      best[a]![b] = Math.max(best[a + 1]![b]!, best[a]![b + 1]!, best[a + 1]![b + 1]! + points[a]![b]!);
    }
  }
  const pairs: [Item, Item][] = [];
  for (let a = 0, b = 0; a < labels.length && b < found.length; ) {
    if (best[a]![b] === best[a + 1]![b + 1]! + points[a]![b]! && points[a]![b]! > 0)
      pairs.push([labels[a++]!, found[b++]!]);
    else if (best[a]![b] === best[a + 1]![b]) a++;
    else b++;
  }
  return { score: { points: 2 * best[0]![0]!, weight: labels.length + found.length }, pairs };
}
