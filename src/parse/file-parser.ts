// Port: parses files. Whatever a file does to its parser, the caller gets a result or a ServiceError.
import type { ParsedFile, ParseOptions, SourceFile } from '../contracts/parsed.ts';
import type { Budget } from '../util/abort.ts';

export interface FileParser {
  /**
   * Throws DOCUMENT_ENCRYPTED, DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX (time, memory, pages, pixels, nesting, output)
   * or SCRAPE_UNSUPPORTED_FILE_ERROR. May transfer the bytes to another process, so the caller must not use them again.
   * The clock of `budget` stops while the file waits for a free process.
   */
  parse(
    file: SourceFile,
    options: ParseOptions,
    signal: AbortSignal,
    budget?: Pick<Budget, 'hold'>,
  ): Promise<ParsedFile>;
  close(): Promise<void>;
}
