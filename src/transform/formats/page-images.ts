// The `images` format: URLs of the images in the kept content, without duplicates, in document order.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';

// A link without a scheme is relative to the file, which has no address.
const LISTED = /^(?:https?:|(?![a-z][a-z0-9+.-]*:))/i;

export function pageImages(tree: HtmlTree, mask: Mask, urls: PageUrls): string[] {
  const found = new Set<string>();
  for (let node = 1; node < tree.size; node++) {
    if (mask[node] !== KEPT) continue;
    const url = imageAt(tree, node, urls);
    // A data: URI cannot be fetched.
    if (url !== undefined && LISTED.test(url)) found.add(url);
  }
  return [...found];
}

function imageAt(tree: HtmlTree, node: number, urls: PageUrls): string | undefined {
  switch (tree.tag[node]) {
    case TAG.img:
      return urls.imageSource(node);
    case TAG.video:
      return urls.resolve(tree.attribute(node, 'poster'));
    case TAG.input:
      return tree.attribute(node, 'type')?.toLowerCase() === 'image'
        ? urls.resolve(tree.attribute(node, 'src'))
        : undefined;
    default:
      return undefined;
  }
}
