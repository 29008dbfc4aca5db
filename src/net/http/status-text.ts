// The standard reason phrases: HTTP/2 sends none, and people like to read one.
import { STATUS_CODES } from 'node:http';

export const statusText = (status: number): string => STATUS_CODES[status] ?? `Status ${status}`;
