// XML as a small tree, bounded in depth and size. Entities that a file declares are never expanded, and nothing is fetched.
import { SaxesParser } from 'saxes';
import { ServiceError } from '../../contracts/errors.ts';
import { XML_LIMITS } from '../../parse/parse-limits.ts';
import { damaged, tooComplex } from '../../parse/parse-errors.ts';
import { decodeText } from '../charset.ts';

export interface XmlElement {
  /** As written, with its prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  children: (XmlElement | string)[];
}

const NO_ATTRIBUTES: XmlElement['attributes'] = Object.freeze({});
// An ampersand that starts none of these is only an ampersand: what a file declares is never expanded.
const NOT_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/g;

/** The root. Faults are read over, as office programs do. Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export function readXml(bytes: Uint8Array | string): XmlElement {
  const text = typeof bytes === 'string' ? bytes : decodeText(bytes, '', { html: false }).text;
  const { root, faults } = build(text, 0);
  if (root && faults === 0) return root;
  const mended = text.trimStart().replace(NOT_XML, (found) => (found === '&' ? '&amp;' : ''));
  const { root: mendedRoot } = build(mended, XML_LIMITS.faults);
  if (!mendedRoot) throw notXml();
  return mendedRoot;
}

/** Ends with the first fault beyond those that are tolerated. */
function build(text: string, tolerated: number): { root: XmlElement | undefined; faults: number } {
  const parser = new SaxesParser({ xmlns: false as const, position: false });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  let faults = 0;

  const count = (more: number) => {
    nodes += more;
    if (nodes > XML_LIMITS.nodes) throw tooComplex('It has too many parts.');
  };
  const addText = (more: string) => {
    count(1);
    open.at(-1)?.children.push(more);
  };
  parser.on('opentag', ({ name, attributes }) => {
    const given = Object.keys(attributes).length;
    count(1 + given);
    // The parser's own object is a dictionary, which takes several times the memory.
    const element: OpenElement = { name, attributes: given === 0 ? NO_ATTRIBUTES : { ...attributes }, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    if (open.push(element) > XML_LIMITS.depth) throw tooComplex('Its parts are nested too deeply.');
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', (error) => {
    faults += 1;
    if (faults > tolerated) throw error;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (tolerated > 0) throw notXml(error);
  }
  return { root, faults };
}

/** The first descendant of that local name, in the order of the document. */
export function find(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = localName(child.name) === name ? child : find(child, name);
    if (found) return found;
  }
  return undefined;
}

/** All descendants of that local name, in the order of the document. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const walk = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      if (localName(child.name) === name) found.push(child);
      walk(child);
    }
  };
  walk(element);
  return found;
}

export function textOf(element: XmlElement): string {
  const texts: string[] = [];
  const walk = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === 'string') texts.push(child);
      else walk(child);
    }
  };
  walk(element);
  return texts.join('');
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const notXml = (cause?: unknown): ServiceError => damaged('a part of it is no XML.', cause);
