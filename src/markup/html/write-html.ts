// Writes the kept nodes as HTML, without event handlers and with absolute addresses: the `html` format.

import { type HtmlTree, ROOT, TEXT } from './html-tree.ts';
import { KEPT, type Mask } from './node-mask.ts';
import type { PageUrls } from './page-urls.ts';
import { isVoid, TAG } from './tags.ts';

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data', 'background', 'longdesc']);
const TAG_NAME = /^[a-z][a-z0-9:._-]*$/;
const ATTRIBUTE_NAME = /^[^\s"'<>/=\u0000-\u001f]+$/;
const HANDLER = /^on/;

export function toHtml(tree: HtmlTree, mask: Mask, urls: PageUrls): string {
  const out: string[] = [];
  const open: number[] = [];
  const closeBefore = (node: number) => {
    while (open.length > 0 && tree.end[open[open.length - 1]!]! <= node) out.push(`</${tree.tagName(open.pop()!)}>`);
  };
  for (let node = 0; node < tree.size; node++) {
    closeBefore(node);
    if (mask[node] !== KEPT || tree.kind[node] === ROOT) continue;
    if (tree.kind[node] === TEXT) {
      out.push(escapeText(tree.text(node)));
      continue;
    }
    const name = tree.tagName(node);
    if (!TAG_NAME.test(name)) continue;
    out.push(`<${name}${attributes(tree, node, urls)}>`);
    if (!isVoid(tree.tag[node]!)) open.push(node);
  }
  closeBefore(tree.size);
  return out.join('').trim();
}

function attributes(tree: HtmlTree, node: number, urls: PageUrls): string {
  const isImage = tree.tag[node] === TAG.img;
  const source = isImage ? urls.imageSource(node) : undefined;
  let text = source === undefined ? '' : ` src="${escapeAttribute(source)}"`;
  for (const [name, value] of tree.attributes(node)) {
    if (HANDLER.test(name) || !ATTRIBUTE_NAME.test(name)) continue;
    if (isImage && (name === 'src' || name === 'srcset')) continue;
    if (!ADDRESSES.has(name)) {
      text += value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
      continue;
    }
    const address = urls.resolve(value);
    if (address !== undefined) text += ` ${name}="${escapeAttribute(address)}"`;
  }
  return text;
}

const REPLACEMENT: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

export const escapeText = (text: string): string =>
  /[&<>\u00a0]/.test(text) ? text.replace(/[&<>\u00a0]/g, (char) => REPLACEMENT[char]!) : text;
const escapeAttribute = (text: string): string =>
  /[&"\u00a0]/.test(text) ? text.replace(/[&"\u00a0]/g, (char) => REPLACEMENT[char]!) : text;
