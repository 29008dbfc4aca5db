// The value of an element that microdata or RDFa marks as a property.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import type { ElementText } from '../element-text.ts';
import { isAddressName, plainValue } from '../plain-value.ts';

const isMedia = tagSet('audio embed iframe source track video');
const isLink = tagSet('a area');

export function propertyValue(tree: HtmlTree, urls: PageUrls, text: ElementText, node: number, name: string): string {
  const tag = tree.tag[node]!;
  const read = (attribute: string) => tree.attribute(node, attribute);
  // Microdata allows `content` only on <meta>, but pages write it on any element.
  const content = read('content');
  if (content !== undefined) return plainValue(content, name, urls);
  if (tag === TAG.img) return urls.imageSource(node) ?? '';
  if (isMedia(tag)) return urls.resolve(read('src')) ?? '';
  if (tag === TAG.object) return urls.resolve(read('data')) ?? '';
  if (tag === TAG.link) return plainValue(urls.resolve(read('href')) ?? '', name, urls);
  if (tag === TAG.data || tag === TAG.meter) return plainValue(read('value') ?? text.of(node), name, urls);
  if (tag === TAG.time) return plainValue(read('datetime') ?? text.of(node), name, urls);
  if (!isLink(tag)) return plainValue(text.of(node), name, urls);
  // By the specification a link is its address. A link that is marked as `name` or `author` means its text.
  const address = urls.resolve(read('href')) ?? '';
  return isAddressName(name) ? address : text.of(node) || address;
}
