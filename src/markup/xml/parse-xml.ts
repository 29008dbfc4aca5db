// XML as a small tree, bounded in depth and size. Entities that a file declares are never expanded, and nothing is fetched.
import { decodeText } from '../charset.ts';
import { XmlError } from './xml-error.ts';
import { createXmlStream } from './xml-stream.ts';
import type { OpenElement, XmlElement } from './xml-tree.ts';

export const XML_LIMITS = {
  depth: 400,
  /** Elements, attributes and pieces of text. */
  nodes: 2_000_000,
  /** Tags that do not fit together, before giving up. */
  faults: 10_000,
} as const;

/** The root element. Reads past faults, as office programs do. Throws XmlError. */
export function parseXml(xml: Uint8Array | string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  let faults = 0;

  const count = (more: number) => {
    nodes += more;
    if (nodes > XML_LIMITS.nodes) throw tooManyNodes();
  };
  const stream = createXmlStream({
    open(name, attributes) {
      count(1 + Object.keys(attributes).length);
      const element: OpenElement = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      root ??= element;
      if (open.push(element) > XML_LIMITS.depth) throw tooDeep();
    },
    close() {
      open.pop();
    },
    text(text) {
      count(1);
      open.at(-1)?.children.push(text);
    },
    fault(kind, message) {
      if (kind === 'structure') faults += 1;
      if (faults > XML_LIMITS.faults) throw new XmlError('malformed', `There are too many faults. ${message}`);
    },
  });
  stream.write(typeof xml === 'string' ? xml : decodeText(xml, '', { html: false }).text);
  stream.end();
  if (!root) throw new XmlError('malformed', 'There is no root element.');
  return root;
}

export const tooDeep = (): XmlError =>
  new XmlError('too-deep', `Elements are nested more than ${XML_LIMITS.depth} deep.`);

export const tooManyNodes = (): XmlError =>
  new XmlError('too-many-nodes', `There are more than ${XML_LIMITS.nodes} nodes.`);
