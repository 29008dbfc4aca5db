// Sends a stored file as a stream, whole or in part, or says where it is. Browsers may display it, but not run it.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ByteRange } from '../store/ports/files/file-store.ts';
import type { OpenAnswer, OpenCall } from './call.ts';
import type { FileLinks } from './files.ts';

/** Types that browsers display; others are downloaded. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'application/pdf']);

/** A redirect is followed at once. A link that leaks is of no use a moment later. */
const REDIRECT_SECONDS = 60;

interface Deps {
  fileLinks: Pick<FileLinks, 'open'>;
  /** Ends the stream. */
  stopping: AbortSignal;
}

export async function file(
  { fileLinks, stopping }: Deps,
  { params: { file: id, name }, query, isHead, range }: OpenCall<'file'>,
): Promise<OpenAnswer> {
  const stored = await fileLinks.open(id, name, query);
  const { type, size } = stored;
  // The name is safe in a header, because its signed link was verified.
  const disposition = `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename="${name}"`;
  // A link of the object store is signed for GET only.
  const link = isHead ? undefined : await stored.link?.({ seconds: REDIRECT_SECONDS, type, disposition });
  if (link !== undefined) return redirectTo(link);
  const headers: Record<string, string> = {
    'content-type': type,
    'content-disposition': disposition,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    // Browsers use inline styles to lay out an image that is opened by itself.
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'private',
    // The link is enough to fetch the file, so it must not leak.
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
  // A large file is not read only to be discarded.
  const body = isHead ? Readable.from([]) : await begun(endingWith(stored.read(part), stopping));
  return { status: part ? 206 : 200, headers, body };
}

/** Each one is for one download, so nothing may remember it. */
const redirectTo = (location: string): OpenAnswer => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-length': '0' },
  body: '',
});

/** Parses a single range (RFC 9110, 14.1.2). Undefined means the whole file, also for invalid and multiple ranges. */
export function readRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return undefined;
  return start > end ? 'outside' : { start, end };
}

/** A file that cannot be read at all is answered with an error, which is too late after the first headers. */
async function begun(stream: Readable): Promise<Readable> {
  await once(stream, 'readable');
  return stream;
}

/** Keeps slow downloads from delaying the shutdown. */
function endingWith(stream: Readable, stopping: AbortSignal): Readable {
  const stop = () => stream.destroy();
  stopping.addEventListener('abort', stop, { once: true });
  return stream.once('close', () => stopping.removeEventListener('abort', stop));
}
