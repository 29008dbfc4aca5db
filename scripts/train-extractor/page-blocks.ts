// A page as the product sees it, in the form that training needs: block texts, words, features and paths.
import { type HtmlTree, TEXT } from '../../src/markup/html/html-tree.ts';
import { parseHtml } from '../../src/markup/html/parse-html.ts';
import { TAG, tagSet } from '../../src/markup/html/tags.ts';
import { type BlockTable, tabulateBlocks } from '../../src/transform/main-content/blocks/block-table.ts';
import { type Block, createBlockCollector } from '../../src/transform/main-content/blocks/blocks.ts';
import { computeFeatures } from '../../src/transform/main-content/features/features.ts';

export interface PageBlocks extends BlockTable {
  readonly texts: readonly string[];
  /** One row of features per block. */
  readonly features: Float32Array;
  readonly page: Float32Array;
}

const collectBlocks = createBlockCollector();
const isUnread = tagSet('select textarea datalist');

export function describePage(html: string, url: string): PageBlocks {
  const tree = parseHtml(html);
  const blocks = collectBlocks(tree);
  const { rows, page } = computeFeatures(tree, blocks, url);
  return {
    texts: blocks.list.map((block) => textOf(tree, block)),
    features: rows,
    page,
    ...tabulateBlocks(tree, blocks),
  };
}

function textOf(tree: HtmlTree, { start, end }: Block): string {
  let text = '';
  for (let node = start; node < end; node++) {
    if (tree.kind[node] === TEXT) text += tree.text(node);
    else if (tree.tag[node] === TAG.br) text += ' ';
    else if (isUnread(tree.tag[node]!)) node = tree.end[node]! - 1;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}
