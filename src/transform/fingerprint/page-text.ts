// The text that is specific to a page: what readers see, without the navigation that all pages of a site share.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { isInvisible, TAG, tagSet } from '../../markup/html/tags.ts';

const isFrame = tagSet('nav aside');
/** Part of the content inside an article, main or section; elsewhere part of the frame. */
const isFrameOfPage = tagSet('header footer');
const isPart = tagSet('article main section');
const showsFile = tagSet('img iframe video audio source embed');
const MAX_FILES = 100;

/** One line per text node. Title and h1 always count: often they are all that distinguishes two pages. */
export function pageText(tree: HtmlTree, limit: number): string {
  const texts: string[] = [];
  let length = 0;
  let frameEnd = 0;
  let partEnd = 0;
  let nameEnd = 0;
  let hasTitle = false;
  for (let node = 1; node < tree.size && length < limit; node++) {
    if (tree.kind[node] === TEXT) {
      if ((node < frameEnd && node >= nameEnd) || tree.isBlank(node)) continue;
      const text = tree.text(node);
      texts.push(text);
      length += text.length;
      continue;
    }
    const tag = tree.tag[node]!;
    const end = tree.end[node]!;
    if (tag === TAG.h1) nameEnd = Math.max(nameEnd, end);
    else if (tag === TAG.title && !hasTitle) {
      hasTitle = true;
      nameEnd = Math.max(nameEnd, end);
    } else if ((isInvisible(tag) && tag !== TAG.head) || tag === TAG.noscript) node = end - 1;
    else if (isFrame(tag) || (isFrameOfPage(tag) && node >= partEnd)) frameEnd = Math.max(frameEnd, end);
    else if (isPart(tag)) partEnd = Math.max(partEnd, end);
  }
  return texts.join('\n');
}

/** File names of the images and players of a page, without query strings, which may contain session ids. */
export function* shownFiles(tree: HtmlTree): Generator<string> {
  const src = tree.attributeNumber('src');
  const lazySrc = tree.attributeNumber('data-src');
  let found = 0;
  for (let node = 1; node < tree.size && found < MAX_FILES; node++) {
    if (!showsFile(tree.tag[node]!)) continue;
    const source = (tree.attributeAt(node, lazySrc) ?? tree.attributeAt(node, src))?.trim();
    if (!source || source.startsWith('data:')) continue;
    found += 1;
    const path = source.slice(0, endOfPath(source));
    yield path.slice(path.lastIndexOf('/') + 1);
  }
}

function endOfPath(address: string): number {
  const end = address.search(/[?#;]/);
  return end === -1 ? address.length : end;
}
