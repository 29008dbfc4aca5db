// The standard reason phrases, because HTTP/2 does not send any.
import { STATUS_CODES } from './node-http.ts';

export const statusText = (status: number): string => STATUS_CODES[status] ?? `Status ${status}`;
