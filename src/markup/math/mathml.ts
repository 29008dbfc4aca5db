// Converts MathML, as pages and OpenDocument files have it, to TeX. Each element is converted once, so that the time is linear.
import { attribute, localName, textOf, type XmlElement } from '../xml/xml-tree.ts';
import {
  accentTex,
  alphabetTex,
  delimiter,
  functionTex,
  group,
  isAccent,
  isLarge,
  isStretched,
  joinTex,
  nameTex,
  stretchedTex,
  symbolsToTex,
} from './math-symbols.ts';

/** Uses the TeX annotation if there is one: files and pages made from TeX often keep it. */
export function mathmlToTex(math: XmlElement): string {
  return (texAnnotation(math) ?? inner(math)).replace(/\s+/g, ' ').trim();
}

function texAnnotation(element: XmlElement): string | undefined {
  for (const child of elements(element)) {
    const isTex = localName(child.name) === 'annotation' && /tex/i.test(attribute(child, 'encoding') ?? '');
    const found = isTex ? textOf(child) : localName(child.name) === 'semantics' ? texAnnotation(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const elements = ({ children }: XmlElement): XmlElement[] => children.filter((child) => typeof child !== 'string');

const inner = (element: XmlElement): string => row(elements(element));

function row(parts: readonly XmlElement[]): string {
  const tex: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const bracketed = inBrackets(parts[at]!, parts[at + 1], parts[at + 2]);
    tex.push(bracketed?.tex ?? convert(parts[at]!));
    if (bracketed) at += bracketed.further;
  }
  return joinTex(fenced(parts, tex));
}

/** Brackets around a table choose its environment, and `further` elements belong to it. */
function inBrackets(
  open: XmlElement,
  content: XmlElement | undefined,
  close: XmlElement | undefined,
): { tex: string; further: number } | undefined {
  if (!content || localName(open.name) !== 'mo') return undefined;
  const opening = textOf(open).trim();
  const closing = close && localName(close.name) === 'mo' ? textOf(close).trim() : undefined;
  if (opening === '(' && closing === ')' && localName(content.name) === 'mfrac' && isBinomial(content))
    return { tex: binomial(content), further: 2 };
  const table = opening === '' ? undefined : tableOf(content);
  if (!table) return undefined;
  const environment = ENVIRONMENTS[opening + (closing ?? '')];
  if (environment !== undefined) return { tex: tableTex(table, environment), further: 2 };
  // Cases end without a bracket, or with one that has no sign.
  return opening === '{' ? { tex: tableTex(table, 'cases'), further: closing === '' ? 2 : 1 } : undefined;
}

const ENVIRONMENTS: Record<string, string> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '∣∣': 'vmatrix',
  '‖‖': 'Vmatrix',
  '∥∥': 'Vmatrix',
};

/** The table itself, also if rows and styles are all that stands around it. */
function tableOf(element: XmlElement): XmlElement | undefined {
  for (let at: XmlElement | undefined = element; at; ) {
    const name = localName(at.name);
    if (name === 'mtable') return at;
    const parts: XmlElement[] = /^(?:mrow|mstyle|mpadded|TeXAtom|texatom)$/.test(name) ? elements(at) : [];
    at = parts.length === 1 ? parts[0] : undefined;
  }
  return undefined;
}

/** Brackets around something high grow with it. */
function fenced(parts: readonly XmlElement[], tex: readonly string[]): readonly string[] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (parts.length < 3 || tex.length !== parts.length || !isFence(first!) || !isFence(last!)) return tex;
  if (!parts.some(({ name }) => /(?:^|:)(?:mfrac|mtable|munderover|munder|mover)$/.test(name))) return tex;
  const sides = [first!, last!].map((side) => delimiter(textOf(side).trim()));
  return [`\\left${sides[0]}`, ...tex.slice(1, -1), `\\right${sides[1]}`];
}

const isFence = (element: XmlElement): boolean =>
  localName(element.name) === 'mo' &&
  (attribute(element, 'fence') === 'true' || attribute(element, 'stretchy') === 'true') &&
  /^[()[\]{}|‖⟨⟩⌊⌋⌈⌉]$/.test(textOf(element).trim());

const isBinomial = (fraction: XmlElement): boolean => /^0(?:\D|$)/.test(attribute(fraction, 'linethickness') ?? '');

const binomial = (fraction: XmlElement): string => {
  const parts = elements(fraction);
  return `\\binom{${parts[0] ? convert(parts[0]) : ''}}{${parts[1] ? convert(parts[1]) : ''}}`;
};

function convert(element: XmlElement): string {
  const name = localName(element.name);
  return Object.hasOwn(RULES, name) ? RULES[name]!(element, elements(element)) : inner(element);
}

type Rule = (element: XmlElement, parts: readonly XmlElement[]) => string;

const part = (parts: readonly XmlElement[], at: number): string => (parts[at] ? convert(parts[at]) : '');
const nothing: Rule = () => '';
const symbol: Rule = (element) => symbolsToTex(textOf(element).trim());
const scripts: Rule = (_, parts) => `${group(part(parts, 0))}_{${part(parts, 1)}}${raised(parts, 2)}`;

/** Primes are raised already. */
function raised(parts: readonly XmlElement[], at: number): string {
  const tex = part(parts, at);
  return /^'+$/.test(tex) ? tex : `^{${tex}}`;
}

const RULES: Readonly<Record<string, Rule>> = {
  mi: (element) => identifier(element),
  mn: (element) => alphabetTex(attribute(element, 'mathvariant'), symbolsToTex(textOf(element).trim())),
  mo: symbol,
  ms: symbol,
  mtext: (element) => {
    const text = textOf(element)
      .replace(/[\\{}$%#&_^~]/g, ' ')
      .replace(/\s+/g, ' ');
    return text.trim() === '' ? ' ' : `\\text{${text}}`;
  },
  mfrac: (element, parts) =>
    isBinomial(element)
      ? `{${part(parts, 0)} \\atop ${part(parts, 1)}}`
      : `\\frac{${part(parts, 0)}}{${part(parts, 1)}}`,
  msqrt: (element) => `\\sqrt{${inner(element)}}`,
  mroot: (_, parts) => `\\sqrt[${part(parts, 1)}]{${part(parts, 0)}}`,
  msup: (_, parts) => `${group(part(parts, 0))}${raised(parts, 1)}`,
  msub: (_, parts) => `${group(part(parts, 0))}_{${part(parts, 1)}}`,
  msubsup: scripts,
  munder: (_, parts) => below(parts, part(parts, 0), part(parts, 1)),
  mover: (_, parts) => above(parts[1], part(parts, 0), () => part(parts, 1), canHaveLimits(parts[0])),
  munderover: (_, parts) => {
    if (canHaveLimits(parts[0])) return scripts(parts[0]!, parts);
    return below(
      parts,
      above(parts[2], part(parts, 0), () => part(parts, 2), false),
      part(parts, 1),
    );
  },
  mmultiscripts: (_, parts) => multiscripts(parts),
  mfenced: (element, parts) => {
    const [open, close] = [attribute(element, 'open') ?? '(', attribute(element, 'close') ?? ')'];
    const table = parts.length === 1 ? tableOf(parts[0]!) : undefined;
    const environment = open === '{' && close === '' ? 'cases' : ENVIRONMENTS[open + close];
    if (table && environment !== undefined) return tableTex(table, environment);
    return `\\left${delimiter(open)}${parts.map(convert).join(',')}\\right${delimiter(close)}`;
  },
  mtable: (element) => tableTex(element, isAligned(element) ? 'aligned' : 'matrix'),
  // Where pages do not close it, it holds what stands behind it.
  mspace: (element) => joinTex([spaceTex(attribute(element, 'width') ?? ''), inner(element)]),
  annotation: nothing,
  'annotation-xml': nothing,
  mphantom: nothing,
  none: nothing,
  mprescripts: nothing,
};

function identifier(element: XmlElement): string {
  const text = textOf(element).trim();
  const variant = attribute(element, 'mathvariant');
  const known = functionTex(text);
  if (known !== undefined) return known;
  return [...text].length > 1 && variant === undefined ? nameTex(text) : alphabetTex(variant, symbolsToTex(text));
}

/** Sums, limits and braces have what is below them as an index. */
function canHaveLimits(base: XmlElement | undefined): boolean {
  if (!base) return false;
  const text = textOf(base).trim();
  return isLarge(text) || functionTex(text) !== undefined || /^(?:munder|mover)$/.test(localName(base.name));
}

function below(parts: readonly XmlElement[], base: string, tex: string): string {
  const sign = parts[1] ? textOf(parts[1]).trim() : '';
  if (isStretched(sign)) return stretchedTex(sign, base, 'below');
  const isBraced = /^\\(?:under|over)brac/.test(base);
  return canHaveLimits(parts[0]) ? `${isBraced ? base : group(base)}_{${tex}}` : `\\underset{${tex}}{${base}}`;
}

function above(over: XmlElement | undefined, base: string, tex: () => string, isLimit: boolean): string {
  const sign = over ? textOf(over).trim() : '';
  const isSign = over !== undefined && localName(over.name) === 'mo';
  if (isStretched(sign)) return stretchedTex(sign, base, 'above');
  if (isSign && isAccent(sign)) return accentTex(sign, base);
  if (/^\\(?:to|rightarrow|longrightarrow)$/.test(base)) return `\\xrightarrow{${tex()}}`;
  return isLimit
    ? `${/^\\(?:under|over)brac/.test(base) ? base : group(base)}^{${tex()}}`
    : `\\overset{${tex()}}{${base}}`;
}

/** Pairs of a lower and an upper index, behind the base and, after a mark, in front of it. */
function multiscripts(parts: readonly XmlElement[]): string {
  const [base, ...rest] = parts;
  const mark = rest.findIndex(({ name }) => localName(name) === 'mprescripts');
  const pairs = (from: readonly XmlElement[]): string =>
    from
      .map((element, at) => [at % 2 === 0 ? '_' : '^', convert(element)])
      .filter(([, tex]) => tex !== '')
      .map(([sign, tex]) => `${sign}{${tex}}`)
      .join('');
  const before = mark === -1 ? '' : pairs(rest.slice(mark + 1));
  return `${before === '' ? '' : `{}${before}`}${group(base ? convert(base) : '')}${pairs(mark === -1 ? rest : rest.slice(0, mark))}`;
}

/** Columns that are right and left of a sign in turn. */
const isAligned = (table: XmlElement): boolean => /^\s*right left/.test(attribute(table, 'columnalign') ?? '');

function tableTex(table: XmlElement, environment: string): string {
  const rows = elements(table).map((each) =>
    elements(each)
      // The number of an equation is no cell.
      .filter((_, at) => localName(each.name) !== 'mlabeledtr' || at > 0)
      .map((cell) => inner(cell))
      .join(' & '),
  );
  return `\\begin{${environment}}${rows.join(' \\\\ ')}\\end{${environment}}`;
}

function spaceTex(width: string): string {
  const size = /^([\d.]+)em$/.exec(width.trim())?.[1];
  if (size === undefined || Number(size) === 0) return ' ';
  return Number(size) >= 0.9 ? '\\quad ' : Number(size) < 0.5 ? '\\,' : '\\ ';
}
