// Why something gives no media, in the words of the error table.
import { ServiceError } from '../contracts/errors.ts';
import type { MediaFormat } from '../contracts/media.ts';

const UNSUPPORTED = { audio: 'SCRAPE_AUDIO_UNSUPPORTED_URL', video: 'SCRAPE_VIDEO_UNSUPPORTED_URL' } as const;

/** It is no media that is understood here: another candidate may be. Which format was wanted is settled at the end. */
export const unusable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('SCRAPE_VIDEO_UNSUPPORTED_URL', { message: reason, cause });

export const accessDenied = (reason: string): ServiceError =>
  new ServiceError('SCRAPE_MEDIA_ACCESS_DENIED', { message: reason });

export const tooLarge = (): ServiceError => new ServiceError('SCRAPE_MEDIA_TOO_LARGE');

/** What the caller is told when nothing worked: the first reason that is more than "this is no media". */
export function refusal(format: MediaFormat, failures: readonly ServiceError[]): ServiceError {
  const telling = failures.find(({ code }) => code !== UNSUPPORTED.video && code !== 'SCRAPE_SITE_ERROR');
  if (telling) return telling;
  const [first] = failures;
  const nothing = `There is no ${format === 'audio' ? 'audio or video' : 'video'} at this URL that could be fetched.`;
  return new ServiceError(UNSUPPORTED[format], {
    message: first ? `${nothing} ${first.message}` : nothing,
    cause: first,
  });
}
