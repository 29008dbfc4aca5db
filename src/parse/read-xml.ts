// Reads XML inside files and reports what is wrong with it as an error about the file.
import { parseXml } from '../markup/xml/parse-xml.ts';
import { type Pieces, rewritePieces } from '../markup/xml/rewrite-stream.ts';
import { XmlError } from '../markup/xml/xml-error.ts';
import type { XmlElement } from '../markup/xml/xml-tree.ts';
import { damagedFile, tooComplex } from './parse-errors.ts';

/** Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export const readXml = (xml: Uint8Array | string): XmlElement => asFileError(() => parseXml(xml));

/** Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export const rewriteXml = (bytes: Uint8Array, pieces: Pieces): string =>
  asFileError(() => rewritePieces(bytes, pieces));

function asFileError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (error.problem === 'too-deep') throw tooComplex('Its parts are nested too deeply.');
    if (error.problem === 'too-many-nodes') throw tooComplex('It has too many parts.');
    throw damagedFile('Part of it is not valid XML.', error);
  }
}
