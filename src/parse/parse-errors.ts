// Why a document is not read, in words.
import { ServiceError } from '../contracts/errors.ts';

export const tooComplex = (reason: string): ServiceError =>
  new ServiceError('DOCUMENT_TOO_COMPLEX', { message: `The document is more than can be read. ${reason}` });

export const damaged = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('DOCUMENT_DAMAGED', { message: `The document is damaged: ${reason}`, cause });
