// XML as a small tree, bounded in depth and size. Entities that a file declares are never expanded, and nothing is fetched.
import { SaxesParser } from 'saxes';
import { decodeText } from '../charset.ts';
import { XmlError } from './xml-error.ts';
import type { OpenElement, XmlElement } from './xml-tree.ts';

export const XML_LIMITS = {
  depth: 400,
  /** Elements, attributes and pieces of text. */
  nodes: 2_000_000,
  /** Faults to read past before giving up. */
  faults: 10_000,
} as const;

const NO_ATTRIBUTES: XmlElement['attributes'] = Object.freeze({});
// An ampersand that starts none of these is only an ampersand: what a file declares is never expanded.
const NOT_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/g;

/** The root element. Reads past faults, as office programs do. Throws XmlError. */
export function parseXml(xml: Uint8Array | string): XmlElement {
  const text = typeof xml === 'string' ? xml : decodeText(xml, '', { html: false }).text;
  const { root, faults } = build(text, 0);
  if (root && faults === 0) return root;
  const mended = text.trimStart().replace(NOT_XML, (found) => (found === '&' ? '&amp;' : ''));
  const { root: mendedRoot } = build(mended, XML_LIMITS.faults);
  if (!mendedRoot) throw new XmlError('malformed', 'There is no root element.');
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
    if (nodes > XML_LIMITS.nodes)
      throw new XmlError('too-many-nodes', `There are more than ${XML_LIMITS.nodes} nodes.`);
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
    if (open.push(element) > XML_LIMITS.depth) {
      throw new XmlError('too-deep', `Elements are nested more than ${XML_LIMITS.depth} deep.`);
    }
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
    if (error instanceof XmlError) throw error;
    if (tolerated > 0) throw new XmlError('malformed', 'There are too many faults.', { cause: error });
  }
  return { root, faults };
}
