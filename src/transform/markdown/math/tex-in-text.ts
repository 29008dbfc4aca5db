// TeX between delimiters in the text of a page, for a typesetter to find.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { Formula } from './formulas.ts';

const ENVIRONMENT = 'equation|align|gather|multline|alignat|eqnarray';
export const DELIMITED = new RegExp(
  [
    /\\\((.{1,2000}?)\\\)/,
    /\\\[(.{1,4000}?)\\\]/,
    /\$\$([^$]{1,4000})\$\$/,
    /\$(?=[^\s$])([^$\n]{1,300}?[^\s$\\]|[^\s$\\])\$(?!\d)/,
    new RegExp(`(\\\\begin\\{(?:${ENVIRONMENT})\\*?\\}.{1,4000}?\\\\end\\{(?:${ENVIRONMENT})\\*?\\})`),
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
);

/** Environments of a whole line, and what they are called inside of a formula. */
const INSIDE: Record<string, string> = {
  align: 'aligned',
  alignat: 'aligned',
  gather: 'gathered',
  multline: 'gathered',
};

export function delimitedFormula(match: RegExpExecArray): Formula {
  const [, inline, block, dollars, dollar, environment] = match;
  const source = inline ?? block ?? dollars ?? dollar ?? insideFormula(environment ?? '');
  const tex = source.replace(/\s+/g, ' ').trim();
  return { tex, display: inline === undefined && dollar === undefined };
}

const insideFormula = (tex: string): string =>
  tex
    .replace(/^\\begin\{equation\*?\}|\\end\{equation\*?\}$/g, '')
    .replace(/(\\(?:begin|end)\{)(align|alignat|gather|multline)\*?\}/g, (_, edge, name) => `${edge}${INSIDE[name]}}`);

const MATH_BOX = /(?:^|\s)(?:math|mathjax|katex|arithmatex|equation|tex)(?:$|[\s_-])/i;

/** Whether the element around a text is named as a formula, as converters leave them for a typesetter. */
export const isMathBox = (tree: HtmlTree, text: number): boolean =>
  MATH_BOX.test(tree.attribute(tree.parent[text]!, 'class') ?? '');

const WHOLE = /^\s*(?:\\\[[\s\S]*\\\]|\$\$[\s\S]*\$\$|\\begin\{[\s\S]*\\end\{\w+\*?\})[\s.,;]*$/;

/** Whether a text is one displayed formula and nothing else. */
export const isDisplayedTex = (text: string): boolean => WHOLE.test(text);
