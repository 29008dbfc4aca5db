// A file that is returned unread, as base64.
import type { PageContent, TransformFormat, TransformOutcome, TransformRequest } from '../page/page.ts';
import { sha256 } from '../util/hash.ts';
import type { Fingerprinter } from './fingerprint/fingerprint.ts';
import { discoverInText } from './formats/outlinks.ts';

export function transformAsBase64({ page, options }: TransformRequest, fingerprinter: Fingerprinter): TransformOutcome {
  const bytes = base64Of(page.bytes);
  const content: PageContent = {};
  for (const format of options.formats) {
    if (format === 'attributes')
      content.attributes = (options.attributes ?? []).map((wanted) => ({ ...wanted, values: [] }));
    else if (isTextFormat(format)) content[format] = bytes;
    else content[format] = [];
  }
  const discovered = discoverInText([], page, fingerprinter.ofText(wordsOfHash(page.bytes)));
  return { content, metadata: {}, verdict: { kind: 'content', reason: '' }, warnings: [], discovered };
}

const isTextFormat = (format: TransformFormat) =>
  format === 'markdown' || format === 'html' || format === 'rawHtml' || format === 'rawBase64';

export const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Text for the fingerprint: words without digits, which would be folded like dates. */
const wordsOfHash = (bytes: Uint8Array): string =>
  sha256(bytes)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
    .replace(/.{8}/g, '$& ');
