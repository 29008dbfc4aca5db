// Links that lead somewhere. Heading anchors, backlinks of footnotes, script hooks and share buttons are left out.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isBlock, TAG } from '../../../markup/html/tags.ts';
import type { Handler } from '../emitter.ts';
import { linkTarget } from '../escape-markdown.ts';
import { isShareTarget } from './share-links.ts';

// Symbols next to a heading that link to it; inside the heading, also words for the same.
const ANCHOR_SIGN = /^(?:[\s#¶§🔗⚓∞]|\ufe0e|\ufe0f)+$/u;
const ANCHOR_WORDS =
  /^\[?(?:edit|link|permalink|anchor|copy link)\]?$|^(?:permalink|direct link|link) to .{0,200}$|^permalink: .{0,200}$/i;

/** What a link to the heading itself says, in the heading. */
export const isAnchorText = (text: string): boolean => ANCHOR_SIGN.test(text) || ANCHOR_WORDS.test(text.trim());

export const link: Handler = (emitter, node) => {
  const { tree, context } = emitter;
  const mark = context.footnotes.mark(node);
  if (mark !== undefined) return emitter.footnoteMark(mark);
  const href = tree.attribute(node, 'href')?.trim();
  if (href === undefined || href === '#') return emitter.children(node);
  if (href.startsWith('#')) {
    if (emitter.insideNote && context.footnotes.isBacklink(node)) return;
    const text = textOf(tree, node).trim();
    if (ANCHOR_SIGN.test(text) || (emitter.singleLine && ANCHOR_WORDS.test(text))) return;
    // A heading that links to itself needs no link.
    if (emitter.singleLine) return emitter.children(node);
  }
  const url = href === '' ? context.urls.base : context.urls.resolve(href);
  if (url === undefined || url.startsWith('data:')) return emitter.children(node);
  if (isWholeParagraph(tree, node)) return emitter.raw(`[](${linkTarget(url)})`);
  if (!isShareTarget(url)) {
    return emitter.marked(node, { kind: 'link', url, title: (tree.attribute(node, 'title') ?? '').trim() });
  }
  // In a sentence, the words of a share link stay.
  if (!isButton(tree, context.mask, node)) emitter.children(node);
};

/** A paragraph of a link without text says an address and nothing else. */
function isWholeParagraph(tree: HtmlTree, link: number): boolean {
  const end = link + 1;
  if (tree.end[link] !== end || tree.tag[link - 1] !== TAG.p || tree.end[link - 1] !== end) return false;
  for (const [name] of tree.attributes(link)) if (name !== 'href') return false;
  return true;
}

const BUTTON_WORDS = 5;
const MAX_SIBLINGS = 60;

/** A share button: an icon, or a few words with no other text than that of links in their block. */
function isButton(tree: HtmlTree, mask: Mask, link: number): boolean {
  const text = textOf(tree, link).trim();
  const label = text === '' ? imageText(tree, link) : text;
  if (label.split(/\s+/, BUTTON_WORDS + 1).length > BUTTON_WORDS) return false;
  if (text === '') return true;
  let block = tree.parent[link]!;
  while (block > 0 && !isBlock(tree.tag[block]!)) block = tree.parent[block]!;
  let seen = 0;
  for (let node = block + 1; node < tree.end[block]!; node++) {
    if (tree.tag[node] === TAG.a || isBlock(tree.tag[node]!) || mask[node] === DROPPED) node = tree.end[node]! - 1;
    else if (tree.kind[node] === TEXT && /[\p{L}\p{N}]/u.test(tree.text(node))) return false;
    if (++seen > MAX_SIBLINGS) return false;
  }
  return true;
}

/** The description of a picture tells it from an icon. */
function imageText(tree: HtmlTree, link: number): string {
  for (let node = link + 1; node < tree.end[link]!; node++) {
    if (tree.tag[node] === TAG.img) return (tree.attribute(node, 'alt') ?? '').trim();
  }
  return '';
}

function textOf(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root; node < tree.end[root]! && text.length < 300; node++) text += tree.text(node);
  return text;
}
