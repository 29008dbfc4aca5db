// Turns away what nobody here can read, before it is downloaded whole.
import { ServiceError } from '../../contracts/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape-options.ts';
import { classifyFile } from '../../parse/detect/detect.ts';

type Wanted = Pick<ScrapeOptions, 'formats' | 'parsers'>;

/** Looks at the type and the first bytes of a page. */
export const createAdmission =
  (name: string, { formats, parsers }: Wanted) =>
  (contentType: string, bytes: Uint8Array): undefined => {
    // Whoever wants the file itself gets any.
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
