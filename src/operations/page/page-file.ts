// A page as a file: its name, and whether files of its type can be read. Unsupported ones are refused before the download
// is complete.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { Fetched, PageHeader } from '../../page/page.ts';
import type { SniffedHead } from '../../page/sniffed-head.ts';
import { classifyFile } from '../../parse/detect/detect.ts';
import { betrayedType } from '../../parse/detect/false-claim.ts';

type ClaimedPage = Pick<Fetched, 'status' | 'contentType'> & { head: SniffedHead };
type Wanted = Pick<ScrapeOptions, 'formats' | 'parsers'>;

/** Checks the content type and the first bytes of a page. */
export const createAdmission =
  (name: string, { formats, parsers }: Wanted) =>
  (contentType: string, bytes: Uint8Array): undefined => {
    // The file itself is available for every type.
    if (formats.some(({ type }) => type === 'rawBase64')) return;
    const { category, type, isPicture } = classifyFile({ bytes, contentType, name });
    if (category === 'unsupported') throw unsupportedFile(type);
    if (isPicture && !readsImages(parsers)) throw imageRefused(type);
  };

export const readsImages = (parsers: Wanted['parsers']): boolean => parsers.some(({ type }) => type === 'image');

export const unsupportedFile = (type: string): ServiceError =>
  new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `Files of type ${type} cannot be converted to text. Request the format \`rawBase64\` to get the file itself.`,
  });

export const imageRefused = (type: string): ServiceError =>
  new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The file is an image (${type}). To read its text by OCR, send \`"parsers": ["pdf", "image"]\`.`,
  });

/** Error pages often keep the type of the file that is missing; they are what the site has to say. */
export function refuseFalseClaim({ status, contentType, head }: ClaimedPage): void {
  const found = status >= 400 ? undefined : betrayedType(head, contentType);
  if (found === undefined) return;
  throw new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', {
    message: `The site declares the file as ${contentType.split(';', 1)[0]!.trim()}, but its content is ${found}. Check the URL, or request the format \`rawBase64\` to get the bytes.`,
  });
}

// RFC 6266: the extended form wins over the plain one.
const EXTENDED = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i;
const PLAIN = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i;

/** The file name of a page: from its Content-Disposition header, else from its URL. */
export function fileName({ headers, finalUrl }: Pick<PageHeader, 'headers' | 'finalUrl'>): string {
  const disposition = headers['content-disposition'] ?? '';
  const plain = PLAIN.exec(disposition);
  const named = decode(EXTENDED.exec(disposition)?.[1] ?? '') || plain?.[1] || plain?.[2] || '';
  return lastPart(named) || lastPart(decode(URL.parse(finalUrl)?.pathname ?? ''));
}

const lastPart = (path: string): string => path.split(/[/\\]/).at(-1)!;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
