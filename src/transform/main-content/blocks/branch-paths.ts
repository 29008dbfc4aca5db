// Branch paths: blocks get equal numbers if their innermost ancestors have the same tags and classes.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Blocks } from './blocks.ts';

export const PATH_LEVELS = 4;

export function pathsOf(tree: HtmlTree, { list, signature }: Blocks, levels = PATH_LEVELS): Int32Array {
  return Int32Array.from(list, ({ container }) => {
    let hash = levels;
    let node = container;
    for (let level = 0; level < levels && node > 0; level++) {
      hash = (Math.imul(hash, 31) + signature[node]!) | 0;
      node = tree.parent[node]!;
    }
    return hash;
  });
}
