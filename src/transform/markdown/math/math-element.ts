// Formulas of a page as the elements that the converter to TeX reads: MathML, and the glyphs of MathJax 3, whose elements
// have the names of MathML and whose characters are class names.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import type { XmlElement, XmlNode } from '../../../markup/xml/xml-tree.ts';

/** The recursion is bounded by the depth limit of the HTML parser. */
export function mathElement(tree: HtmlTree, node: number): XmlElement {
  const children: XmlNode[] = [];
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    if (tree.kind[child] === TEXT) children.push(tree.text(child));
    else if (tree.kind[child] === ELEMENT) children.push(mathElement(tree, child));
  }
  return { name: tree.tagName(node), attributes: Object.fromEntries(tree.attributes(node)), children };
}

const GLYPH = /(?:^|\s)mjx-c([0-9A-F]{2,6})(?=\s|$)/;
const STRETCHED = /^mjx-stretchy-[vh]$/;
// What only lays out: struts, lines, and the sign of a root.
const LAYOUT = /^mjx-(?:nstrut|dstrut|strut|line|surd|spacer|tstrut|lbl|linestrut)$/;
const PREFIX = 'mjx-';

/** The MathML that the glyphs of a container were made from. */
export function glyphElement(tree: HtmlTree, container: number): XmlElement {
  return { name: 'math', attributes: {}, children: glyphChildren(tree, container) };
}

function glyphChildren(tree: HtmlTree, node: number): XmlNode[] {
  const children: XmlNode[] = [];
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    if (tree.kind[child] === TEXT) children.push(tree.text(child));
    else if (tree.kind[child] === ELEMENT) children.push(...glyphNodes(tree, child));
  }
  return children;
}

function glyphNodes(tree: HtmlTree, node: number): XmlNode[] {
  const name = tree.tagName(node);
  const code = GLYPH.exec(tree.attribute(node, 'class') ?? '')?.[1];
  if (code !== undefined && (name === 'mjx-c' || STRETCHED.test(name))) return [characterOf(code)];
  if (LAYOUT.test(name)) return [];
  const children = glyphChildren(tree, node);
  // Elements of MathML begin with an m, all others arrange them.
  if (!name.startsWith(`${PREFIX}m`)) return isArgument(name) ? [row(children)] : children;
  const own = name.slice(PREFIX.length);
  return [{ name: own, attributes: {}, children: inOrder(own, children) }];
}

const characterOf = (code: string): string => {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
};

const isArgument = (name: string): boolean => /^mjx-(?:num|den|base|under|over|root|box|TeXAtom|texatom)$/.test(name);

const row = (children: readonly XmlNode[]): XmlElement => ({ name: 'mrow', attributes: {}, children });

/** Upper indices are laid out before lower ones, and the degree of a root before what stands below it. */
function inOrder(name: string, children: readonly XmlNode[]): readonly XmlNode[] {
  const [first, second, third] = children;
  if (name === 'msubsup' && third !== undefined) return [first!, third, second!];
  if (name === 'mroot' && second !== undefined) return [second, first!];
  if (name === 'munderover' && typeof second === 'object' && second.name === 'mrow') {
    const inside = second.children[0];
    if (typeof inside === 'object' && inside.name === 'munder') return [...inside.children, first!];
  }
  return children;
}
