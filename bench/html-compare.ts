// Normalises HTML for comparison: the tree with uniform white space, attribute order and spelling, or the text alone.
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];

const BLOCKS = new Set(
  'html head body p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre hr div table tr td th br'.split(' '),
);
const URL_ATTRIBUTES = new Set(['href', 'src']);
// Elements whose content is not text of the page.
const HIDDEN = new Set(['script', 'style', 'title', 'template', 'textarea']);

/** The tree as a string. URLs are resolved against `base`. */
export function canonical(html: string, base: string): string {
  let out = '';
  // Browsers collapse white space and hide it at the edges of blocks.
  const write = (text: string) => {
    out += out.endsWith(' ') ? text.replace(/^ /, '') : text;
  };
  const visit = (node: Node, exact: boolean): void => {
    if ('value' in node) {
      const text = escapeText(node.value);
      if (exact) out += text;
      else write(text.replace(/[ \t\n\f\r]+/g, ' '));
    } else if ('tagName' in node) {
      const block = BLOCKS.has(node.tagName);
      if (block && !exact) out = out.replace(/ $/, '');
      const attributes = node.attrs.map(
        ({ name, value }) => ` ${name}="${URL_ATTRIBUTES.has(name) ? resolve(value, base) : value}"`,
      );
      out += `<${node.tagName}${attributes.sort().join('')}>${block && !exact ? '\n ' : ''}`;
      for (const child of node.childNodes) visit(child, exact || node.tagName === 'pre');
      if (block && node.tagName !== 'pre') out = out.replace(/ $/, '');
      out += `</${node.tagName}>${block ? '\n ' : ''}`;
    } else if ('childNodes' in node) {
      for (const child of node.childNodes) visit(child, exact);
    }
  };
  visit(parse(html), false);
  return out;
}

/** The visible text, without white space and without `~~`, which CommonMark does not treat as markup. */
export function textOf(html: string): string {
  let text = '';
  const visit = (node: Node): void => {
    if ('value' in node) text += node.value;
    else if ('childNodes' in node && !HIDDEN.has(node.nodeName)) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return text.replace(/\s+|~~/g, '');
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const resolve = (value: string, base: string): string => URL.parse(value, base)?.href ?? value;
