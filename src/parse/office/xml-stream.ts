// XML rewritten piece by piece: only one paragraph at a time is a tree, since that of a whole book would not fit.
import { SaxesParser } from 'saxes';
import { ServiceError } from '../../contracts/errors.ts';
import { decodeText } from '../../markup/charset.ts';
import { escapeHtml } from '../../markup/html/escape.ts';
import { localName, readXml, type XmlElement } from '../../markup/xml/xml.ts';
import { tooComplex } from '../parse-errors.ts';
import { XML_LIMITS } from '../parse-limits.ts';
import { elementXml, openTag, rewrite } from './xml-rewrite.ts';

export interface Pieces {
  /** Local names of the elements that are pieces; those inside of others belong to them. */
  names: ReadonlySet<string>;
  /** What stands in the place of a piece. */
  replace(piece: XmlElement): readonly (XmlElement | string)[];
  /** An element outside of all pieces, when it begins; it stays as it is. */
  pass?(element: XmlElement): void;
  /** All begins anew. */
  reset?(): void;
}

interface OpenElement extends XmlElement {
  children: (XmlElement | string)[];
}

/** Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export function rewritePieces(bytes: Uint8Array, pieces: Pieces): string {
  try {
    return rewriteStream(decodeText(bytes, '', { html: false }).text, pieces);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // A faulty file is mended first, for which it has to be a tree.
    pieces.reset?.();
    return rewriteTree(readXml(bytes), pieces);
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
  const parser = new SaxesParser({ xmlns: false as const, position: false });
  const out: string[] = [];
  const piece: OpenElement[] = [];
  let depth = 0;
  let nodes = 0;

  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > XML_LIMITS.depth) throw tooComplex('Its parts are nested too deeply.');
    const element: OpenElement = { name, attributes, children: [] };
    if (piece.length > 0 || names.has(localName(name))) {
      nodes += 1;
      if (nodes > XML_LIMITS.nodes) throw tooComplex('It has too many parts.');
      piece.at(-1)?.children.push(element);
      piece.push(element);
      return;
    }
    pass?.(element);
    out.push(`${openTag(element)}>`);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    const element = piece.pop();
    if (!element) out.push(`</${name}>`);
    else if (piece.length === 0) {
      nodes = 0;
      for (const node of replace(element)) out.push(typeof node === 'string' ? escapeHtml(node) : elementXml(node));
    }
  });
  const addText = (text: string) => {
    const element = piece.at(-1);
    if (element) element.children.push(text);
    else out.push(escapeHtml(text));
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return out.join('');
}
