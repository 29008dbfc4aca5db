// Compares Markdown with its truth: text and its order, tables and headings, scored as in opendataloader-bench.
import { editShare, ratio } from './similarity.ts';
import { stripEmphasis, type TableNode, tablesOf, withHtmlTables } from './tables.ts';
import { countNodes, type TreeNode, treeDistance } from './tree-edit.ts';

export interface Scores {
  /** Text and its order. */
  nid: number;
  /** Tables; undefined if the truth has none. */
  teds: number | undefined;
  /** Headings and the text below each; undefined if the truth has none. */
  mhs: number | undefined;
  /** Mean of the defined scores. */
  overall: number;
  truthHasTable: boolean;
  hasTable: boolean;
}

interface HeadingNode extends TreeNode {
  tag: 'document' | 'heading' | 'content';
  text: string;
  children: HeadingNode[];
}

export function score(truth: string, markdown: string): Scores {
  const [expected, actual] = [canonical(truth), canonical(markdown)];
  const [expectedTables, actualTables] = [tablesOf(expected), tablesOf(actual)];
  const nid = ratio(squeeze(expected), squeeze(actual));
  const teds = expectedTables.children.length === 0 ? undefined : tableScore(expectedTables, actualTables);
  const mhs = headingScore(headingsOf(expected), headingsOf(actual));
  const values = [nid, teds, mhs].filter((value) => value !== undefined);
  return {
    nid,
    teds,
    mhs,
    overall: values.reduce((sum, value) => sum + value, 0) / values.length,
    truthHasTable: expectedTables.children.length > 0,
    hasTable: actualTables.children.length > 0,
  };
}

const canonical = (markdown: string): string => stripEmphasis(withHtmlTables(markdown));

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function tableScore(expected: TableNode, actual: TableNode): number {
  if (actual.children.length === 0) return 0;
  const distance = treeDistance(expected, actual, (a, b) => {
    if (a.tag !== b.tag || a.span !== b.span) return 1;
    return a.tag === 'td' ? editShare(a.text, b.text) : 0;
  });
  return similarity(distance, expected, actual);
}

/** Ignores the levels of headings. */
function headingScore(expected: HeadingNode, actual: HeadingNode): number | undefined {
  const hasHeading = ({ children }: HeadingNode) => children.some(({ tag }) => tag === 'heading');
  if (!hasHeading(expected)) return undefined;
  if (!hasHeading(actual)) return 0;
  const distance = treeDistance(expected, actual, (a, b) => (a.tag === b.tag ? editShare(a.text, b.text) : 1));
  return similarity(distance, expected, actual);
}

const similarity = (distance: number, a: TreeNode, b: TreeNode): number =>
  Math.max(0, 1 - distance / Math.max(countNodes(a), countNodes(b)));

function headingsOf(markdown: string): HeadingNode {
  const root: HeadingNode = { tag: 'document', text: '', children: [] };
  let [parent, pending]: [HeadingNode, string[]] = [root, []];
  const flush = () => {
    const text = squeeze(pending.join(' '));
    if (text !== '') parent.children.push({ tag: 'content', text, children: [] });
    pending = [];
  };
  for (const line of markdown.split('\n')) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
    if (heading === undefined) {
      pending.push(line);
      continue;
    }
    flush();
    parent = { tag: 'heading', text: squeeze(heading), children: [] };
    root.children.push(parent);
  }
  flush();
  return root;
}
