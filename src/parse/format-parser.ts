// Port: one parser a kind of document. It runs in a process of its own that is ended when it takes too much of anything.
import type { DocumentFile, DocumentOptions, ParsedDocument } from '../contracts/parsed.ts';
import type { Ocr } from './ocr/ocr.ts';

/** What a parser may use beside its own code. */
export interface ParserTools {
  ocr: Ocr;
}

/** Throws a ServiceError for what it can name; any other error means that the file is damaged. */
export type Parser = (file: DocumentFile, options: DocumentOptions, tools: ParserTools) => Promise<ParsedDocument>;
