// Converts Word's formulas (OMML) to TeX. Unknown elements become their text.

import { accentTex, delimiter, functionTex, group, joinTex, symbolsToTex } from '../../../markup/math/math-symbols.ts';
import { attribute, localName, textOf, type XmlElement } from '../../../markup/xml/xml-tree.ts';

type Child = (name: string) => string;

/** On one line, because a blank line would end the formula. */
export const ommlToTex = (math: XmlElement): string => join(math).replace(/\s+/g, ' ').trim();

const join = (element: XmlElement): string =>
  joinTex(element.children.map((child) => (typeof child === 'string' ? '' : convert(child))));

function convert(element: XmlElement): string {
  const name = localName(element.name);
  if (name.endsWith('Pr')) return '';
  // A file may contain an element called `constructor`.
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (!rule) return join(element);
  const own = new Map<string, XmlElement>();
  for (const child of element.children) if (typeof child !== 'string') own.set(localName(child.name), child);
  return rule((part) => (own.has(part) ? join(own.get(part)!).trim() : ''), element, own);
}

type Rule = (part: Child, element: XmlElement, own: ReadonlyMap<string, XmlElement>) => string;

/** A rule's setting: the `val` of a child of its properties. */
function setting(own: ReadonlyMap<string, XmlElement>, properties: string, name: string): string | undefined {
  for (const child of own.get(properties)?.children ?? []) {
    if (typeof child !== 'string' && localName(child.name) === name) return attribute(child, 'val') ?? '';
  }
  return undefined;
}

const isOff = (value: string | undefined): boolean => value === '0' || value === 'off' || value === 'false';
const script = (operator: string, tex: string): string => (tex === '' ? '' : `${operator}{${tex}}`);

const RULES: Readonly<Record<string, Rule>> = {
  r: (_, element) => runTex(element),
  f: (part, _, own) =>
    setting(own, 'fPr', 'type') === 'lin' ? `${part('num')}/${part('den')}` : `\\frac{${part('num')}}{${part('den')}}`,
  sSup: (part) => `${group(part('e'))}^{${part('sup')}}`,
  sSub: (part) => `${group(part('e'))}_{${part('sub')}}`,
  sSubSup: (part) => `${group(part('e'))}_{${part('sub')}}^{${part('sup')}}`,
  sPre: (part) => `{}_{${part('sub')}}^{${part('sup')}}${group(part('e'))}`,
  rad: (part) => `\\sqrt${part('deg').replace(/^.+$/, '[$&]')}{${part('e')}}`,
  nary: (part, _, own) => {
    const operator = setting(own, 'naryPr', 'chr') ?? '∫';
    return `${symbolsToTex(operator)}${script('_', part('sub'))}${script('^', part('sup'))} ${part('e')}`;
  },
  d: (_, element, own) => {
    const open = delimiter(setting(own, 'dPr', 'begChr') ?? '(');
    const close = delimiter(setting(own, 'dPr', 'endChr') ?? ')');
    const separator = symbolsToTex(setting(own, 'dPr', 'sepChr') ?? '|');
    return `\\left${open}${listOf(element, 'e').map(join).join(separator)}\\right${close}`;
  },
  func: (part) => {
    const name = part('fName');
    const plain = name.replace(/^\\text\{([a-z]+)\}/, '$1');
    return `${functionTex(plain) ?? name}{${part('e')}}`;
  },
  acc: (part, _, own) => accentTex(setting(own, 'accPr', 'chr') ?? '\u0302', part('e')),
  bar: (part, _, own) => `${setting(own, 'barPr', 'pos') === 'top' ? '\\overline' : '\\underline'}{${part('e')}}`,
  limLow: (part) => `${part('e')}_{${part('lim')}}`,
  limUpp: (part) => `${part('e')}^{${part('lim')}}`,
  groupChr: (part, _, own) =>
    `${setting(own, 'groupChrPr', 'pos') === 'top' ? '\\overbrace' : '\\underbrace'}{${part('e')}}`,
  m: (_, element) =>
    `\\begin{matrix}${listOf(element, 'mr')
      .map((row) => listOf(row, 'e').map(join).join(' & '))
      .join(' \\\\ ')}\\end{matrix}`,
  eqArr: (_, element) => `\\begin{aligned}${listOf(element, 'e').map(join).join(' \\\\ ')}\\end{aligned}`,
  phant: (part, _, own) => (isOff(setting(own, 'phantPr', 'show')) ? '' : part('e')),
};

const listOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => typeof child !== 'string' && localName(child.name) === name) as XmlElement[];

function runTex(run: XmlElement): string {
  const texts = listOf(run, 't').map(textOf).join('');
  const properties = listOf(run, 'rPr')[0];
  const isPlain = properties?.children.some(
    (child) => typeof child !== 'string' && localName(child.name) === 'nor' && !isOff(attribute(child, 'val')),
  );
  if (isPlain && /[^\d\s]/.test(texts)) return `\\text{${texts.replace(/[\\{}$%#&_^~]/g, ' ')}}`;
  return symbolsToTex(texts);
}
