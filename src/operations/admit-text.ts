// Turns away what cannot become text, before it is downloaded whole.
import { ServiceError } from '../contracts/errors.ts';
import { kindOf } from '../util/kind.ts';

export function admitText(contentType: string, firstBytes: Uint8Array): void {
  const found = kindOf(contentType, firstBytes);
  if (found.kind !== 'binary') return;
  throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The URL leads to a file of type ${found.type}, and this version reads only web pages and text.`,
  });
}
