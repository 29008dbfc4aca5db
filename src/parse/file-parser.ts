// Port: reads documents. Whatever a file does to its parser, the caller gets a document or a ServiceError.
import type { DocumentFile, DocumentOptions, ParsedDocument } from '../contracts/parsed.ts';
import type { Budget } from '../util/abort.ts';

export interface DocumentReader {
  /**
   * DOCUMENT_ENCRYPTED, DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX (time, memory, pages, pixels, nesting, output) or
   * SCRAPE_UNSUPPORTED_FILE_ERROR. The bytes may be given away to another process and are gone then for the caller.
   * Where there is a `budget`, its time stands still for as long as the document waits in line.
   */
  read(
    file: DocumentFile,
    options: DocumentOptions,
    signal: AbortSignal,
    budget?: Pick<Budget, 'hold'>,
  ): Promise<ParsedDocument>;
  close(): Promise<void>;
}
