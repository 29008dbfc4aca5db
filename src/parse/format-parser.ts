// Port: the parser of one file format. It runs in a separate process, which is killed when it exceeds its limits.
import type { ParsedFile, ParseOptions, SourceFile } from '../page/parsed.ts';
import type { Ocr } from './ocr/ocr.ts';

/** Shared services that parsers may use. */
export interface ParserTools {
  ocr: Ocr;
}

/** Throws a ServiceError for known problems; any other error is reported as a damaged file. */
export type FormatParser = (file: SourceFile, options: ParseOptions, tools: ParserTools) => Promise<ParsedFile>;
