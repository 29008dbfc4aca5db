// Finds the formulas of a page as TeX: in annotations, attributes, image descriptions and scripts, else from the MathML or the
// glyphs. Each formula is written once, instead of the element that shows it.
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { parseHtml } from '../../../markup/html/parse-html.ts';
import { KNOWN_TAGS, TAG } from '../../../markup/html/tags.ts';
import { mathmlToTex } from '../../../markup/math/mathml.ts';
import { glyphElement, mathElement } from './math-element.ts';

export interface Formula {
  /** '' for what shows a formula once more. */
  tex: string;
  display: boolean;
}

export interface MathSurvey {
  /** By the element that the formula stands for. Scripts are among them, though no mask has them. */
  formulas: ReadonlyMap<number, Formula>;
  /** Whether the page loads a typesetter that looks for \(..\) and $$..$$ in its text. */
  delimited: boolean;
}

const WRAPPER = /(?:^|\s)(?:katex|mwe-math-element|MathJax(?:_\w+)?|MathJax_Display)(?:\s|$)/;
const TYPESET = /(?:^|\s)(?:MathJax|MJX)/;
const TYPESETTER = /mathjax|katex/i;
const IMAGE_NAME = /(?:^|\s)(?:mwe-math-fallback|tex|latex|math)/;
/** Services that draw the TeX of their address. */
const IMAGE_SERVICE = /[?&](?:la)?tex=([^&]+)|(?:la|math|mime)tex(?:\.\w+)?\?([^&].*)$|codecogs\.com\/[^?]*\?(.+)$/i;
const MAX_LEVELS = 4;
const MAX_ADDRESS = 4000;

/** Costs pages without formulas a single scan of the tags. */
export function surveyMath(tree: HtmlTree, mask: Mask): MathSurvey {
  const survey = new Survey(tree, mask);
  survey.run();
  return survey;
}

class Survey implements MathSurvey {
  readonly formulas = new Map<number, Formula>();
  delimited = false;
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #texAttributes: readonly number[];
  #hasScripts = false;

  constructor(tree: HtmlTree, mask: Mask) {
    this.#tree = tree;
    this.#mask = mask;
    this.#texAttributes = ['data-tex', 'data-latex'].map((name) => tree.attributeNumber(name)).filter((at) => at >= 0);
  }

  run(): void {
    const tree = this.#tree;
    for (let node = 1; node < tree.size; node++) {
      const tag = tree.tag[node]!;
      if (tag === TAG.math || tag === TAG['mjx-container'] || (tag >= KNOWN_TAGS && isPrefixedMath(tree, node))) {
        node = this.#typeset(node);
      } else if (tag === TAG.script) this.#script(node);
      else if (tag === TAG.img) this.#add(node, imageFormula(tree, node));
      else if (this.#texAttributes.length > 0 && this.#texAttributes.some((at) => tree.attributeAt(node, at))) {
        this.#add(node, { tex: tidyTex(texAttribute(tree, node) ?? ''), display: isDisplayed(tree, node) });
        node = tree.end[node]! - 1;
      }
    }
    if (this.#hasScripts) this.#dropTypeset();
  }

  #add(node: number, formula: Formula | undefined): void {
    if (formula && this.#mask[node] !== DROPPED && !this.formulas.has(node)) this.formulas.set(node, formula);
  }

  /** The last node that belongs to the formula. */
  #typeset(node: number): number {
    const tree = this.#tree;
    const shown = tree.tag[node] === TAG.math ? wrapperOf(tree, node) : node;
    const tex = texOf(tree, node);
    if (tex === '' && tree.tag[node] === TAG['mjx-container']) return node;
    // Where a typesetter shows a formula twice, the first one counts.
    this.#add(shown, { tex, display: isDisplayed(tree, node) || isDisplayed(tree, shown) });
    return tree.end[node]! - 1;
  }

  #script(node: number): void {
    const tree = this.#tree;
    const type = tree.attribute(node, 'type') ?? '';
    if (isTexScript(type) && this.#mask[tree.parent[node]!] !== DROPPED) {
      const text = textOf(tree, node);
      const tex = /^math\/tex/i.test(type) ? tidyTex(text) : texOfSource(text);
      this.formulas.set(node, { tex, display: /mode=display/.test(type) || /display=["']block/.test(text) });
      this.#hasScripts = true;
    }
    this.delimited ||= TYPESETTER.test(`${tree.attribute(node, 'src') ?? ''} ${tree.attribute(node, 'id') ?? ''}`);
  }

  /** The scripts have the formulas, so what the typesetter made of them is left out. */
  #dropTypeset(): void {
    const tree = this.#tree;
    for (let node = 1; node < tree.size; node++) {
      if (tree.kind[node] !== ELEMENT || tree.tag[node] === TAG['mjx-container']) continue;
      if (!TYPESET.test(tree.attribute(node, 'class') ?? '')) continue;
      this.formulas.set(node, { tex: '', display: false });
      node = tree.end[node]! - 1;
    }
  }
}

const isTexScript = (type: string): boolean => /^math\/(?:tex|mml)/i.test(type);

/** Publishers write `mml:math`. */
const isPrefixedMath = (tree: HtmlTree, node: number): boolean => /^\w{1,8}:math$/.test(tree.tagName(node));

/** The formula of a <script> of MathJax 2, which no mask has and which reaches the Markdown nevertheless. */
export const isMathScript = (tree: HtmlTree, script: number): boolean =>
  isTexScript(tree.attribute(script, 'type') ?? '');

function wrapperOf(tree: HtmlTree, math: number): number {
  let above = tree.parent[math]!;
  for (let level = 0; above > 0 && level < MAX_LEVELS; level++, above = tree.parent[above]!) {
    if (tree.tag[above] === TAG['mjx-container'] || WRAPPER.test(tree.attribute(above, 'class') ?? '')) return above;
  }
  return math;
}

const isDisplayed = (tree: HtmlTree, node: number): boolean =>
  /^(?:block|true)$/.test(tree.attribute(node, 'display') ?? '') || tree.attribute(node, 'mode') === 'display';

function texOf(tree: HtmlTree, root: number): string {
  const stated = statedTex(tree, root);
  if (stated !== undefined) return tidyTex(stated);
  if (tree.tag[root] !== TAG['mjx-container']) return mathmlToTex(mathElement(tree, root));
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.tag[node] === TAG.math) return mathmlToTex(mathElement(tree, node));
  }
  return mathmlToTex(glyphElement(tree, root));
}

function statedTex(tree: HtmlTree, root: number): string | undefined {
  const own = texAttribute(tree, root);
  if (own) return own;
  let first: string | undefined;
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (tree.tag[node] === TAG.annotation && /tex/i.test(tree.attribute(node, 'encoding') ?? ''))
      return textOf(tree, node);
    first ??= tree.attribute(node, 'data-latex') ?? tree.attribute(node, 'alttext');
  }
  return tree.attribute(root, 'alttext') ?? first;
}

const texAttribute = (tree: HtmlTree, node: number): string | undefined =>
  tree.attribute(node, 'data-latex') || tree.attribute(node, 'data-tex');

/** MathML in a script is text. */
function texOfSource(source: string): string {
  const tree = parseHtml(source);
  for (let node = 1; node < tree.size; node++) if (tree.tag[node] === TAG.math) return texOf(tree, node);
  return '';
}

/** The formula of an image whose description or address is TeX. */
function imageFormula(tree: HtmlTree, image: number): Formula | undefined {
  const names = tree.attribute(image, 'class') ?? '';
  const described = tree.attribute(image, 'alt') || tree.attribute(image, 'title') || '';
  const service = IMAGE_SERVICE.exec((tree.attribute(image, 'src') ?? '').slice(0, MAX_ADDRESS));
  if (!service && !(IMAGE_NAME.test(names) && /[\\^_={}]/.test(described))) return undefined;
  const tex = described || decoded(service?.slice(1).find((part) => part) ?? '');
  return { tex: tidyTex(tex), display: /display/.test(names) };
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
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

function textOf(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root; node < tree.end[root]!; node++) text += tree.text(node);
  return text;
}
