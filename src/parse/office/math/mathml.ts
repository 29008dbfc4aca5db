// Converts MathML, the formula format of OpenDocument, to TeX.
import { attribute, localName, textOf, type XmlElement } from '../../../markup/xml/xml-tree.ts';
import { accentTex, delimiter, functionTex, group, isAccent, joinTex, symbolsToTex } from './math-symbols.ts';

/** Uses the TeX annotation if there is one: files made from TeX often keep it. */
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

const inner = (element: XmlElement): string => joinTex(elements(element).map(convert));

function convert(element: XmlElement): string {
  const parts = elements(element);
  const part = (at: number): string => (parts[at] ? convert(parts[at]) : '');
  switch (localName(element.name)) {
    case 'mi':
      return functionTex(textOf(element).trim()) ?? symbolsToTex(textOf(element).trim());
    case 'mn':
    case 'mo':
    case 'ms':
      return symbolsToTex(textOf(element).trim());
    case 'mtext':
      return `\\text{${textOf(element).replace(/[\\{}$%#&_^~]/g, ' ')}}`;
    case 'mfrac':
      return `\\frac{${part(0)}}{${part(1)}}`;
    case 'msqrt':
      return `\\sqrt{${inner(element)}}`;
    case 'mroot':
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case 'msup':
      return `${group(part(0))}^{${part(1)}}`;
    case 'msub':
    case 'munder':
      return `${group(part(0))}_{${part(1)}}`;
    case 'mover':
      return parts[1] && isAccent(textOf(parts[1]).trim())
        ? accentTex(textOf(parts[1]).trim(), part(0))
        : `${group(part(0))}^{${part(1)}}`;
    case 'msubsup':
    case 'munderover':
      return `${group(part(0))}_{${part(1)}}^{${part(2)}}`;
    case 'mfenced':
      return `\\left${delimiter(attribute(element, 'open') ?? '(')}${parts.map(convert).join(',')}\\right${delimiter(attribute(element, 'close') ?? ')')}`;
    case 'mtable':
      return `\\begin{matrix}${parts.map((row) => elements(row).map(inner).join(' & ')).join(' \\\\ ')}\\end{matrix}`;
    case 'mspace':
      return ' ';
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return '';
    default:
      return inner(element);
  }
}
