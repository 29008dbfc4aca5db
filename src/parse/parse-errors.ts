// Errors for files that cannot be parsed. `reason` is a sentence.
import { ServiceError } from '../contracts/errors/errors.ts';

export const tooComplex = (reason: string): ServiceError =>
  new ServiceError('DOCUMENT_TOO_COMPLEX', {
    message: `The file is too complex to parse. ${reason} Try a smaller or simpler file.`,
  });

export const damagedFile = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('DOCUMENT_DAMAGED', {
    message: `The file is damaged. ${reason} Check that it opens elsewhere.`,
    cause,
  });
