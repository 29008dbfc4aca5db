// MathML without TeX as one line of text: a/b, x^2, a_1, √(x). Elements without such a form become their text.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';

export const linearMath = (tree: HtmlTree, math: number): string =>
  linear(tree, math)
    .replace(/[ \t\n\f\r\u00a0\u2061-\u2064]+/g, ' ')
    .trim();

function linear(tree: HtmlTree, node: number): string {
  if (tree.kind[node] === TEXT) return tree.text(node).trim();
  const parts = childrenOf(tree, node);
  const part = (at: number): string => (parts[at] === undefined ? '' : linear(tree, parts[at]));
  switch (tree.tagName(node)) {
    case 'mfrac':
      return `${grouped(part(0))}/${grouped(part(1))}`;
    case 'msup':
    case 'mover':
      return `${part(0)}^${grouped(part(1))}`;
    case 'msub':
    case 'munder':
      return `${part(0)}_${grouped(part(1))}`;
    case 'msubsup':
    case 'munderover':
      return `${part(0)}_${grouped(part(1))}^${grouped(part(2))}`;
    case 'msqrt':
      return `√${grouped(parts.map((child) => linear(tree, child)).join(''))}`;
    case 'mroot':
      return `${grouped(part(0))}^(1/${part(1)})`;
    case 'mo':
      return spaced(part(0));
    case 'mtd':
      return `${parts.map((child) => linear(tree, child)).join('')} `;
    case 'mtr':
      return `${parts
        .map((child) => linear(tree, child))
        .join('')
        .trim()}; `;
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mspace':
      return ' ';
    default:
      return parts.map((child) => linear(tree, child)).join('');
  }
}

/** Operators between terms get spaces; brackets and the like do not. */
const spaced = (sign: string): string => (/^[=<>≤≥≠≈≡∈∉⊂⊆→←↔⇒⇔+−±×·∪∩∧∨-]$/.test(sign) ? ` ${sign} ` : sign);

const grouped = (text: string): string => {
  const inner = text.trim();
  return inner.length <= 1 || /^(?:\p{L}|\p{N}+|\([^()]*\))$/u.test(inner) ? inner : `(${inner})`;
};

function childrenOf(tree: HtmlTree, parent: number): number[] {
  const found: number[] = [];
  for (let node = parent + 1; node < tree.end[parent]!; node = tree.end[node]!) {
    if (tree.kind[node] === ELEMENT || !tree.isBlank(node)) found.push(node);
  }
  return found;
}
