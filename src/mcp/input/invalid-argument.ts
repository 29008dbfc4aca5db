// The error for arguments that a tool itself refuses; others are refused by the service.
import { ApiError } from '../../client/api-error.ts';

const STATUS = 400;

export const invalidArgument = (message: string): ApiError =>
  new ApiError(message, { code: 'BAD_REQUEST', status: STATUS, retryAfter: undefined, body: undefined });
