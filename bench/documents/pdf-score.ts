// How well a Markdown text tells what its truth tells: text in its order, tables and headings, scored as in opendataloader-bench.
import { editShare, ratio } from './similarity.ts';
import { stripEmphasis, type TableNode, tablesOf, withHtmlTables } from './tables.ts';
import { countNodes, type TreeNode, treeDistance } from './tree-edit.ts';

export interface Scores {
  /** Text and its order. */
  nid: number;
  /** Tables; only where the truth has some. */
  teds: number | undefined;
  /** Headings and what stands below each; only where the truth has some. */
  mhs: number | undefined;
  /** Mean of those that apply. */
  overall: number;
  /** Whether the truth has a table, and whether the text has one. */
  truthHasTable: boolean;
  hasTable: boolean;
}

interface HeadingNode extends TreeNode {
  tag: 'document' | 'heading' | 'content';
  text: string;
  children: HeadingNode[];
}

export function score(truth: string, markdown: string): Scores {
  const [wanted, given] = [canonical(truth), canonical(markdown)];
  const [wantedTables, givenTables] = [tablesOf(wanted), tablesOf(given)];
  const nid = ratio(squeeze(wanted), squeeze(given));
  const teds = wantedTables.children.length === 0 ? undefined : tableScore(wantedTables, givenTables);
  const mhs = headingScore(headingsOf(wanted), headingsOf(given));
  const values = [nid, teds, mhs].filter((value) => value !== undefined);
  return {
    nid,
    teds,
    mhs,
    overall: values.reduce((sum, value) => sum + value, 0) / values.length,
    truthHasTable: wantedTables.children.length > 0,
    hasTable: givenTables.children.length > 0,
  };
}

const canonical = (markdown: string): string => stripEmphasis(withHtmlTables(markdown));

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function tableScore(wanted: TableNode, given: TableNode): number {
  if (given.children.length === 0) return 0;
  const distance = treeDistance(wanted, given, (a, b) => {
    if (a.tag !== b.tag || a.span !== b.span) return 1;
    return a.tag === 'td' ? editShare(a.text, b.text) : 0;
  });
  return similarity(distance, wanted, given);
}

/** The level of a heading does not count, only that it is one. */
function headingScore(wanted: HeadingNode, given: HeadingNode): number | undefined {
  const hasHeading = ({ children }: HeadingNode) => children.some(({ tag }) => tag === 'heading');
  if (!hasHeading(wanted)) return undefined;
  if (!hasHeading(given)) return 0;
  const distance = treeDistance(wanted, given, (a, b) => (a.tag === b.tag ? editShare(a.text, b.text) : 1));
  return similarity(distance, wanted, given);
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
