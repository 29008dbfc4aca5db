// Finds the TeX of formulas: in annotations of MathML, attributes, image descriptions, or scripts next to the typeset
// result. Each formula must be written once.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, drop, KEPT, type Mask, PASSED } from '../../../markup/html/node-mask.ts';
import { TAG } from '../../../markup/html/tags.ts';

export interface Formula {
  tex: string;
  display: boolean;
}

export interface MathSurvey {
  /** The mask without the typeset duplicates of formulas. */
  mask: Mask;
  /** Whether the page loads a typesetter that looks for \(..\) and $$..$$ in its text. */
  delimited: boolean;
}

const WRAPPER = /(?:^|\s)(?:katex|mwe-math-element|MathJax(?:_\w+)?|MathJax_Display)(?:\s|$)/;
const TYPESET = /(?:^|\s)(?:MathJax|MJX)/;
const TYPESETTER = /mathjax|katex/i;
const WIKI_IMAGE = /(?:^|\s)(?:mwe-math-fallback|tex|latex|math)/;
const MAX_LEVELS = 4;
/** TeX between delimiters in running text. */
export const DELIMITED =
  /\\\((.{1,2000}?)\\\)|\\\[(.{1,4000}?)\\\]|\$\$([^$]{1,4000})\$\$|\$(?=[^\s$])([^$\n]{1,300}?[^\s$\\]|[^\s$\\])\$(?!\d)/gs;

/** Costs pages without formulas a single scan of the tags. */
export function surveyMath(tree: HtmlTree, mask: Mask): MathSurvey {
  let own: Mask | undefined;
  let delimited = false;
  let scripts = false;
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node]!;
    if (tag === TAG.math) {
      const wrapper = wrapperOf(tree, node);
      if (wrapper === 0 || mask[wrapper] === DROPPED) continue;
      own ??= mask.slice();
      keepOnly(own, tree, node, wrapper);
    } else if (tag === TAG.script) {
      delimited ||= TYPESETTER.test(`${tree.attribute(node, 'src') ?? ''} ${tree.attribute(node, 'id') ?? ''}`);
      if (!isTexScript(tree, node) || mask[tree.parent[node]!] === DROPPED) continue;
      own ??= mask.slice();
      own.fill(KEPT, node, tree.end[node]!);
      scripts = true;
    }
  }
  if (own && scripts) dropTypeset(tree, own);
  return { mask: own ?? mask, delimited };
}

function wrapperOf(tree: HtmlTree, math: number): number {
  let above = tree.parent[math]!;
  for (let level = 0; above > 0 && level < MAX_LEVELS; level++, above = tree.parent[above]!) {
    if (tree.tag[above] === TAG['mjx-container'] || WRAPPER.test(tree.attribute(above, 'class') ?? '')) return above;
  }
  return 0;
}

function keepOnly(mask: Mask, tree: HtmlTree, node: number, wrapper: number): void {
  mask.fill(DROPPED, wrapper, tree.end[wrapper]!);
  mask.fill(KEPT, node, tree.end[node]!);
  for (let above = tree.parent[node]!; above >= wrapper; above = tree.parent[above]!) mask[above] = PASSED;
}

function dropTypeset(tree: HtmlTree, mask: Mask): void {
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] === ELEMENT && mask[node] !== DROPPED && TYPESET.test(tree.attribute(node, 'class') ?? '')) {
      drop(mask, tree, node);
    }
  }
}

const isTexScript = (tree: HtmlTree, node: number): boolean => /^math\/tex/i.test(tree.attribute(node, 'type') ?? '');

/** The formula of a math element, a typesetter's container or a script; undefined if its TeX is not in the page. */
export function formulaOf(tree: HtmlTree, node: number): Formula | undefined {
  const type = tree.attribute(node, 'type') ?? '';
  const display = /^(?:block|true)$/.test(tree.attribute(node, 'display') ?? '') || /mode=display/.test(type);
  const tex = tree.tag[node] === TAG.script ? textOf(tree, node) : texOf(tree, node);
  return tex === undefined || tex.trim() === '' ? undefined : { tex: tidyTex(tex), display };
}

/** The formula of an image whose description is TeX. */
export function imageFormula(tree: HtmlTree, image: number): Formula | undefined {
  const names = tree.attribute(image, 'class') ?? '';
  const alt = tree.attribute(image, 'alt') ?? '';
  if (!WIKI_IMAGE.test(names) || !/[\\^_={}]/.test(alt)) return undefined;
  return { tex: tidyTex(alt), display: /display/.test(names) };
}

export const formulaMarkdown = ({ tex, display }: Formula): string => (display ? `$$${tex}$$` : `$${tex}$`);

const tidyTex = (tex: string): string =>
  unwrapped(
    tex
      .replace(/(^|[^\\])%.*$/gm, '$1')
      .replace(/\s+/g, ' ')
      .trim(),
  )
    .replace(/^\$+|\$+$/g, '')
    .trim();

/** Wikipedia wraps every formula in {\displaystyle ..}. */
const unwrapped = (tex: string): string => /^\{\\(?:display|text)style\s(.*)\}$/s.exec(tex)?.[1]?.trim() ?? tex;

function texOf(tree: HtmlTree, root: number): string | undefined {
  const own = tree.attribute(root, 'data-latex') ?? tree.attribute(root, 'data-tex');
  if (own) return own;
  let first: string | undefined;
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (tree.tag[node] === TAG.annotation && /tex/i.test(tree.attribute(node, 'encoding') ?? ''))
      return textOf(tree, node);
    first ??= tree.attribute(node, 'data-latex');
  }
  return tree.attribute(root, 'alttext') ?? first;
}

function textOf(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root; node < tree.end[root]!; node++) if (tree.kind[node] === TEXT) text += tree.text(node);
  return text;
}
