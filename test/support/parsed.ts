// Runs one parser in this process, for tests that look at what it gives.
import type { ParsedFile } from '../../src/contracts/parsed.ts';
import type { FormatParser } from '../../src/parse/format-parser.ts';

/** Neither options nor OCR mean anything to formats that are text. */
export const parsedBy = (parser: FormatParser, bytes: Uint8Array | string): Promise<ParsedFile> =>
  parser({ kind: 'tex', name: 'file', bytes: Buffer.from(bytes) }, {} as never, {} as never);

export function htmlOf({ body }: ParsedFile): string {
  return 'html' in body ? body.html : '';
}

export function markdownOf({ body }: ParsedFile): string {
  return 'markdown' in body ? body.markdown : '';
}
