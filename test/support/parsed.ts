// Runs one parser in this process, for tests that look at what it gives.
import type { ParsedDocument } from '../../src/contracts/parsed.ts';
import type { Parser } from '../../src/parse/format-parser.ts';

/** Neither options nor OCR mean anything to formats that are text. */
export const parsedBy = (parser: Parser, bytes: Uint8Array | string): Promise<ParsedDocument> =>
  parser({ kind: 'tex', name: 'file', bytes: Buffer.from(bytes) }, {} as never, {} as never);

export function htmlOf({ body }: ParsedDocument): string {
  return 'html' in body ? body.html : '';
}

export function markdownOf({ body }: ParsedDocument): string {
  return 'markdown' in body ? body.markdown : '';
}
