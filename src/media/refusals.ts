// The errors of the media stage.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { MediaFormat } from '../page/media.ts';

const UNSUPPORTED = { audio: 'SCRAPE_AUDIO_UNSUPPORTED_URL', video: 'SCRAPE_VIDEO_UNSUPPORTED_URL' } as const;

/** This candidate cannot be used; another one may. `refusal` chooses the code for the requested format. */
export const unusable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('SCRAPE_VIDEO_UNSUPPORTED_URL', { message: reason, cause });

export const accessDenied = (reason: string): ServiceError =>
  new ServiceError('SCRAPE_MEDIA_ACCESS_DENIED', { message: reason });

export const tooLarge = (): ServiceError => new ServiceError('SCRAPE_MEDIA_TOO_LARGE');

/** The error for the caller when every candidate failed: the first one more specific than "not media". */
export function refusal(format: MediaFormat, failures: readonly ServiceError[]): ServiceError {
  const specific = failures.find(({ code }) => code !== UNSUPPORTED.video && code !== 'SCRAPE_SITE_ERROR');
  if (specific) return specific;
  const [first] = failures;
  const nothing = `No ${format === 'audio' ? 'audio or video' : 'video'} could be fetched from this URL.`;
  return new ServiceError(UNSUPPORTED[format], {
    message: first ? `${nothing} ${first.message}` : nothing,
    cause: first,
  });
}
