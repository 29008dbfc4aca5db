// Links that lead somewhere. Heading anchors, backlinks of footnotes and script hooks are left out.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Handler } from '../emitter.ts';

// Symbols next to a heading that link to it; inside the heading, also words for the same.
const ANCHOR_SIGN = /^(?:[\s#¶§🔗⚓∞]|\ufe0e|\ufe0f)+$/u;
const ANCHOR_WORDS =
  /^\[?(?:edit|link|permalink|anchor|copy link)\]?$|^(?:permalink|direct link|link) to .{0,200}$|^permalink: .{0,200}$/i;

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
  if (url === undefined || url.startsWith('data:')) emitter.children(node);
  else emitter.marked(node, { kind: 'link', url, title: (tree.attribute(node, 'title') ?? '').trim() });
};

function textOf(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root; node < tree.end[root]! && text.length < 300; node++) text += tree.text(node);
  return text;
}
