// Rewrites XML piece by piece: only one paragraph at a time is a tree, since the tree of a whole book would not fit.
import { decodeText } from '../charset.ts';
import { escapeHtml } from '../html/escape-html.ts';
import { parseXml, tooDeep, tooManyNodes, XML_LIMITS } from './parse-xml.ts';
import { elementXml, openTag, rewrite } from './rewrite-xml.ts';
import { XmlError } from './xml-error.ts';
import { createXmlStream } from './xml-stream.ts';
import { localName, type OpenElement, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface Pieces {
  /** Local names of the elements that are pieces. A piece inside another belongs to it. */
  names: ReadonlySet<string>;
  /** What replaces a piece. */
  replace(piece: XmlElement): readonly XmlNode[];
  /** Called when an element outside all pieces begins; it stays as it is. */
  pass?(element: XmlElement): void;
  /** Called when reading starts over. */
  reset?(): void;
}

/** Throws XmlError. */
export function rewritePieces(bytes: Uint8Array, pieces: Pieces): string {
  try {
    return rewriteStream(decodeText(bytes, '', { html: false }).text, pieces);
  } catch (error) {
    if (!(error instanceof XmlError) || error.problem !== 'malformed') throw error;
    // A faulty file has to be mended first, and that needs a tree.
    pieces.reset?.();
    return rewriteTree(parseXml(bytes), pieces);
  }
}

function rewriteTree(root: XmlElement, { names, replace, pass }: Pieces): string {
  const changed = rewrite(root, (element) => {
    if (names.has(localName(element.name))) return replace(element);
    pass?.(element);
    return undefined;
  });
  return elementXml(changed);
}

function rewriteStream(xml: string, { names, replace, pass }: Pieces): string {
  const out: string[] = [];
  const piece: OpenElement[] = [];
  let depth = 0;
  let nodes = 0;

  const stream = createXmlStream({
    open(name, attributes) {
      depth += 1;
      if (depth > XML_LIMITS.depth) throw tooDeep();
      const element: OpenElement = { name, attributes, children: [] };
      if (piece.length > 0 || names.has(localName(name))) {
        nodes += 1;
        if (nodes > XML_LIMITS.nodes) throw tooManyNodes();
        piece.at(-1)?.children.push(element);
        piece.push(element);
        return;
      }
      pass?.(element);
      out.push(`${openTag(element)}>`);
    },
    close(name) {
      depth -= 1;
      const element = piece.pop();
      if (!element) out.push(`</${name}>`);
      else if (piece.length === 0) {
        nodes = 0;
        for (const node of replace(element)) out.push(typeof node === 'string' ? escapeHtml(node) : elementXml(node));
      }
    },
    text(text) {
      const element = piece.at(-1);
      if (element) element.children.push(text);
      else out.push(escapeHtml(text));
    },
    fault(_, message) {
      throw new XmlError('malformed', message);
    },
  });
  stream.write(xml);
  stream.end();
  return out.join('');
}
