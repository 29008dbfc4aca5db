// Port: parses files. Whatever a file does to its parser, the caller gets a result or a ServiceError.
import type { ParsedFile, ParseOptions, SourceFile } from '../page/parsed.ts';
import type { Asker } from '../runtime/gate/gate.ts';

export interface FileParser {
  /**
   * Throws DOCUMENT_ENCRYPTED, DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX (time, memory, pages, pixels, nesting, output)
   * or SCRAPE_UNSUPPORTED_FILE_ERROR. May transfer the bytes to another process, so the caller must not use them again.
   * Throws QUEUE_FULL if it could not be done by the asker's deadline.
   */
  parse(file: SourceFile, options: ParseOptions, asker: Asker, signal: AbortSignal): Promise<ParsedFile>;
  close(): Promise<void>;
}
