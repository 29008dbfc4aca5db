// Branch paths: blocks get equal numbers if their innermost ancestors have the same tags and classes.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Blocks } from './blocks.ts';

export const PATH_LEVELS = 4;

export function pathsOf(tree: HtmlTree, { list, signature }: Blocks, levels = PATH_LEVELS): Int32Array {
  const paths = new Int32Array(list.length);
  for (let index = 0; index < list.length; index++) {
    let hash = levels;
    let node = list[index]!.container;
    for (let level = 0; level < levels && node > 0; level++) {
      hash = (Math.imul(hash, 31) + signature[node]!) | 0;
      node = tree.parent[node]!;
    }
    paths[index] = hash;
  }
  return paths;
}
