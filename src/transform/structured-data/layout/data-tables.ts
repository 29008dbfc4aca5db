// The data tables of a page as text, and the labels and values of tables that list the properties of one thing.

import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { isHeading, TAG } from '../../../markup/html/tags.ts';
import type { DataTable, LabelledValue } from '../../../page/structured-data.ts';
import { dataGrid, type Grid } from '../../markdown/blocks/table-grid.ts';
import type { ElementText } from '../element-text.ts';
import { firstLink, labelledValue } from './label.ts';

const MAX_TABLES = 200;
const MAX_ROWS = 2_000;
const MAX_CELLS = 40_000;
const MAX_CELL = 2_000;

export interface TablesFound {
  tables: DataTable[];
  pairs: LabelledValue[];
  /** The elements of the tables. */
  nodes: Set<number>;
}

export function dataTables(tree: HtmlTree, mask: Mask, urls: PageUrls, text: ElementText): TablesFound {
  const found: TablesFound = { tables: [], pairs: [], nodes: new Set() };
  let cells = 0;
  let heading = 0;
  for (let node = 1; node < tree.size && found.tables.length < MAX_TABLES && cells < MAX_CELLS; node++) {
    if (isHeading(tree.tag[node]!) && mask[node] === KEPT) heading = node;
    if (tree.tag[node] !== TAG.table || tree.kind[node] !== ELEMENT || mask[node] !== KEPT) continue;
    const grid = dataGrid(tree, mask, node);
    if (!grid) continue;
    found.nodes.add(node);
    const rows = grid.rows.slice(0, Math.min(MAX_ROWS, Math.ceil((MAX_CELLS - cells) / grid.columns)));
    cells += rows.length * grid.columns;
    const lines = rows.map((row) => row.map((cell) => (cell === 0 ? '' : text.lineOf(cell, MAX_CELL))));
    const isList = listsProperties(tree, grid);
    // A grid without header cells takes its first row for one, which a list of properties does not have.
    const hasHeader = grid.hasHeader && !isList;
    const caption = grid.caption === 0 ? '' : text.lineOf(grid.caption, MAX_CELL);
    found.tables.push({
      ...(caption !== '' && { caption }),
      ...(heading !== 0 && { section: text.lineOf(heading, MAX_CELL) }),
      header: hasHeader ? filled(tree, rows[0]!, lines[0]!) : [],
      rows: (hasHeader ? lines.slice(1) : lines).map((line, index) =>
        filled(tree, rows[index + Number(hasHeader)]!, line),
      ),
    });
    if (isList) for (const [at, row] of rows.entries()) addPairs(found.pairs, tree, urls, row, lines[at]!);
  }
  return found;
}

/** The text of a cell stands in every column that it spans. */
function filled(tree: HtmlTree, row: readonly number[], line: readonly string[]): string[] {
  const texts = [...line];
  row.forEach((cell, column) => {
    const across = cell === 0 ? 1 : Number.parseInt(tree.attribute(cell, 'colspan') ?? '1', 10);
    for (let next = column + 1; next < column + across && next < row.length && row[next] === 0; next++)
      texts[next] = line[column]!;
  });
  return texts;
}

/** Does each row name a property and its value, once or twice side by side? */
function listsProperties(tree: HtmlTree, { rows, columns, hasHeader }: Grid): boolean {
  const isHead = (cell: number | undefined) => cell !== undefined && tree.tag[cell] === TAG.th;
  const headed = rows.filter((row) => isHead(row[0]) && row[1] !== undefined && row[1] !== 0 && !isHead(row[1])).length;
  if (columns === 2 || columns === 4) {
    if (headed * 2 >= rows.length)
      return columns === 2 || rows.filter((row) => isHead(row[2])).length * 2 >= rows.length;
    const noHeads = !rows.some((row) => row.some(isHead));
    const inHead = tree.tag[tree.parent[tree.parent[rows[0]![0]!]!]!] === TAG.thead;
    return columns === 2 && noHeads && !(hasHeader && inHead);
  }
  return false;
}

function addPairs(
  pairs: LabelledValue[],
  tree: HtmlTree,
  urls: PageUrls,
  row: readonly number[],
  line: readonly string[],
): void {
  for (let column = 0; column + 1 < row.length; column += 2) {
    if (row[column] === 0 || row[column + 1] === 0) continue;
    const pair = labelledValue(line[column]!, line[column + 1]!, firstLink(tree, urls, row[column + 1]!));
    if (pair) pairs.push(pair);
  }
}
