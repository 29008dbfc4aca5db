// How a stored file is sent: as a stream, whole or in part, and a browser may show it and do nothing else with it.
import { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '../store/files.ts';
import type { OpenAnswer, OpenCall } from './operation-call.ts';

/** What browsers show by themselves; anything else is saved. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'application/pdf']);

/** `name` is one that this service gave: its link was checked. A stream ends when `stopping` aborts. */
export function answerFile(
  file: StoredFile,
  name: string,
  { isHead, range }: Pick<OpenCall, 'isHead' | 'range'>,
  stopping: AbortSignal,
): OpenAnswer {
  const { type, size } = file;
  const headers: Record<string, string> = {
    'content-type': type,
    'content-disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    // Browsers lay out a lone picture with styles of their own.
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'private',
    // The link is all that one needs to fetch the file.
    'referrer-policy': 'no-referrer',
  };
  const part = readRange(range, size);
  if (part === 'outside') {
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${size}`, 'content-length': '0' },
      body: '',
    };
  }
  if (part) headers['content-range'] = `bytes ${part.start}-${part.end}/${size}`;
  headers['content-length'] = String(part ? part.end - part.start + 1 : size);
  // Nobody is to read a large file only to leave it out.
  const body = isHead ? Readable.from([]) : endingWith(file.read(part), stopping);
  return { status: part ? 206 : 200, headers, body };
}

/** One range of a Range header (RFC 9110, 14.1.2); undefined: all of it, as for what cannot be read or asks for several. */
export function readRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return undefined;
  return start > end ? 'outside' : { start, end };
}

/** Whoever fetches slowly does not hold up the end of the service. */
function endingWith(stream: Readable, stopping: AbortSignal): Readable {
  const stop = () => stream.destroy();
  stopping.addEventListener('abort', stop, { once: true });
  return stream.once('close', () => stopping.removeEventListener('abort', stop));
}
