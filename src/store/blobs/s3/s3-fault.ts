// What an object store answers instead of what was asked for, and what that means: ask again, tell the operator, or report it.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { parseXml } from '../../../markup/xml/parse-xml.ts';
import { find, textOf } from '../../../markup/xml/xml-tree.ts';
import { StoreError } from '../../ports/store-error.ts';
import type { S3Settings } from './s3-settings.ts';

/** The object store has refused a request, or could not be asked. */
export class S3Fault extends Error {
  readonly status: number;
  /** Error code of the protocol, such as `SlowDown`; empty if the answer has none. */
  readonly code: string;
  /** The region that the bucket is in, if that was wrong. */
  readonly region: string | undefined;

  constructor(message: string, { status = 0, code = '', region, cause }: Partial<S3Fault> = {}) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.region = region;
  }
}

const TRANSIENT_STATUS = new Set([0, 408, 429, 500, 502, 503, 504]);
const TRANSIENT_CODES = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

/** The same request may succeed soon. */
export const isTransient = ({ status, code }: S3Fault): boolean =>
  TRANSIENT_STATUS.has(status) || TRANSIENT_CODES.has(code);

/** An answer with an error. Its body may be anything: a proxy between may have written it. */
export function readFault(status: number, body: string, headers: Record<string, unknown> = {}): S3Fault {
  const facts = { status, code: '', region: optionalText(headers['x-amz-bucket-region']) };
  let message = `status ${status}`;
  try {
    const root = parseXml(body);
    const said = (name: string) => {
      const element = find(root, name);
      return element && textOf(element).trim().slice(0, 300);
    };
    facts.code = said('Code') ?? '';
    facts.region ??= said('Region');
    message = said('Message') ?? message;
  } catch {
    // Not XML: the status has to be enough.
  }
  return new S3Fault(message, facts);
}

const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** For the caller of a request that failed. */
export function asUnavailable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const isRefused = cause instanceof S3Fault && !isTransient(cause);
  const reason = isRefused ? `refuses the request (${cause.code || cause.message})` : 'cannot be reached';
  return new ServiceError('STORAGE_UNAVAILABLE', {
    message: `The server cannot use its object store at the moment, because it ${reason}. Try again later.`,
    cause,
  });
}

/** For the operator, at the start. */
export function explainFault(cause: unknown, settings: S3Settings): StoreError {
  const { bucket, origin } = settings;
  const fault = cause instanceof S3Fault ? cause : new S3Fault((cause as Error).message);
  const said = fault.code ? `${fault.code}: ${fault.message}` : fault.message;
  const text = (what: string, todo: string) =>
    new StoreError(`TRAWL_BLOBS_URL cannot be used: ${what} ${todo}`, { cause });
  if (fault.status === 0) {
    return text(
      `nothing usable answers at ${origin} (${said}).`,
      'Check the host and the port, and add `tls=off` if it speaks plain HTTP. A host without a port is the name of an Amazon bucket.',
    );
  }
  if (fault.code === 'NoSuchBucket') {
    return text(
      `there is no bucket "${bucket}" at ${origin}.`,
      'Create it with the tools of your object store, then start again.',
    );
  }
  if (fault.region !== undefined && fault.region !== settings.region) {
    return text(`the bucket "${bucket}" is in another region.`, `Add \`region=${fault.region}\` to the URL.`);
  }
  if (fault.code === 'RequestTimeTooSkewed') {
    return text(`the clocks of this machine and of ${origin} differ too much.`, 'Set the clock of this machine.');
  }
  if (fault.code === 'InvalidAccessKeyId' || fault.code === 'SignatureDoesNotMatch') {
    return text(
      `${origin} does not accept the key or its secret (${fault.code}).`,
      'Check both. Special characters in the URL have to be percent-encoded.',
    );
  }
  if (fault.status === 401 || fault.status === 403) {
    return text(
      `the key may not use the bucket "${bucket}" (${said}).`,
      'Allow it to list the bucket, and to read, write and delete its objects.',
    );
  }
  return text(`${origin} answers with an error (${said}).`, 'Check the address, and the log of the object store.');
}
