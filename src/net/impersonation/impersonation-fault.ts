// Translates errors of the impersonation library into the network errors that the rest of the service knows.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { wireFailure } from '../wire-failure.ts';

// By the library's names, most specific first. The texts of its errors may name addresses, so they are never shown.
const CODES: readonly [name: RegExp, code: string][] = [
  [/Timeout/, 'UND_ERR_HEADERS_TIMEOUT'],
  [/^(ConnectError|NetworkError|ReadError|WriteError|CloseError)$/, 'ECONNRESET'],
];

export function impersonationFault(error: unknown): ServiceError {
  if (error instanceof ServiceError || !(error instanceof Error)) return wireFailure(error);
  if (/InvalidCertificate|UnknownIssuer|NotValidForName/.test(error.message)) {
    return new ServiceError('SCRAPE_SSL_ERROR', { cause: error });
  }
  const [, code] = CODES.find(([name]) => name.test(error.constructor.name)) ?? [];
  return wireFailure(Object.assign(new Error('The request failed.', { cause: error }), { code }));
}
