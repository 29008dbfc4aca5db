// Runs one parser in the test process, for tests of its output.
import type { ParsedFile } from '../../src/page/parsed.ts';
import type { FormatParser } from '../../src/parse/format-parser.ts';

/** Text formats use neither options nor OCR. */
export const parsedBy = (parser: FormatParser, bytes: Uint8Array | string): Promise<ParsedFile> =>
  parser({ kind: 'tex', name: 'file', bytes: Buffer.from(bytes) }, {} as never, {} as never);

export function htmlOf({ body }: ParsedFile): string {
  return 'html' in body ? body.html : '';
}

export function markdownOf({ body }: ParsedFile): string {
  return 'markdown' in body ? body.markdown : '';
}
