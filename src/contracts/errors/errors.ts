// Errors that callers can get. Their codes, statuses and texts are in error-table.ts.
import { ERROR_TABLE, type ErrorCode } from './error-table.ts';

export { ERROR_TABLE, type ErrorCode };

export interface ErrorDetail {
  code: string;
  path: (string | number)[];
  message: string;
}

export interface ErrorOptions {
  /** Replaces the table's text where a more specific one is known. */
  message?: string;
  details?: ErrorDetail[] | Record<string, unknown>;
  cause?: unknown;
  /** Further members of the answer, such as the id of what is in the way. */
  fields?: Record<string, string | number>;
  /** Seconds, sent as the `Retry-After` header. */
  retryAfter?: number;
  /** Further headers of the answer, with names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorOptions['details'];
  readonly fields: ErrorOptions['fields'];
  readonly retryAfter: number | undefined;
  readonly headers: ErrorOptions['headers'];

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERROR_TABLE[code].text, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERROR_TABLE[code].status;
    this.details = options.details;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
    this.headers = options.headers;
  }
}

/** An error that crossed a thread: of its properties, only the code is left. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined || !Object.hasOwn(ERROR_TABLE, code))
    return new ServiceError('UNKNOWN_ERROR', { cause: error });
  return new ServiceError(code as ErrorCode, { message, cause: error });
}

/** Something scarce has more to do than it can do in time. */
export const queueFull = (retryAfter: number): ServiceError => new ServiceError('QUEUE_FULL', { retryAfter });

export interface ErrorBody {
  success: false;
  code?: string;
  error: string;
  details?: ErrorOptions['details'];
}

/** The `code` of an answer. */
export function sentCode(code: ErrorCode): ErrorCode | undefined {
  const { sentAs } = ERROR_TABLE[code];
  return sentAs === null ? undefined : (sentAs ?? code);
}

export function errorBody(error: ServiceError): ErrorBody {
  const code = sentCode(error.code);
  return {
    success: false,
    ...(code !== undefined && { code }),
    error: error.message,
    ...(error.details && { details: error.details }),
    ...error.fields,
  };
}

/** With the members of RFC 9457 that the clients of some calls read instead. */
export interface DetailedErrorBody extends ErrorBody {
  type: string;
  detail: string;
}

const detailedErrorBody = (error: ServiceError): DetailedErrorBody => ({
  ...errorBody(error),
  type: error.code,
  detail: error.message,
});

/** As OAuth writes errors (RFC 6749), and with the member `message` of auth.md. */
export interface OAuthErrorBody {
  error: string;
  error_description: string;
  message: string;
}

const oauthErrorBody = (error: ServiceError): OAuthErrorBody => ({
  error: oauthCode(error),
  error_description: error.message,
  message: error.message,
});

function oauthCode({ code, status }: ServiceError): string {
  if (/^[a-z_]+$/.test(code)) return code;
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** JSON-RPC 2.0. The request whose ID could be named has not been read. */
export interface RpcErrorBody {
  jsonrpc: '2.0';
  id: null;
  error: { code: number; message: string; data: { code: ErrorCode } };
}

const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST_INVALID_JSON: -32_700,
  BAD_REQUEST: -32_600,
  PAYLOAD_TOO_LARGE: -32_600,
};
const OTHER_RPC_CODE = -32_000;

const rpcErrorBody = ({ code, message }: ServiceError): RpcErrorBody => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: RPC_CODES[code] ?? OTHER_RPC_CODE, message, data: { code } },
});

export type ErrorStyle = 'detailed' | 'oauth';
/** `/mcp` is not in the route table. */
export type AnyErrorStyle = ErrorStyle | 'jsonrpc';

export function styledErrorBody(
  error: ServiceError,
  style: AnyErrorStyle | undefined,
): ErrorBody | DetailedErrorBody | OAuthErrorBody | RpcErrorBody {
  if (style === undefined) return errorBody(error);
  if (style === 'jsonrpc') return rpcErrorBody(error);
  return style === 'oauth' ? oauthErrorBody(error) : detailedErrorBody(error);
}
