// What the main frame was answered with, and whether a browser shows it as a page or it is a file, to be taken as it is.
import type { CDPSession } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors.ts';
import type { Admission } from '../../engine.ts';

export interface MainResponse {
  url: string;
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Of a file. A page is read when it has been rendered. */
  bytes?: Uint8Array;
}

const CHUNK_BYTES = 1024 * 1024;

/** Without a type, the browser looks at the bytes; whatever is called HTML it takes for that. */
export function isPage(document: MainResponse): boolean {
  const type = (document.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return (
    ['', 'text/html', 'application/xhtml+xml'].includes(type) && !isAttachment(document) && document.status !== 204
  );
}

export const isAttachment = ({ headers }: MainResponse): boolean =>
  /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');

/** The body of a stopped answer. It cannot go on to the page afterwards, only be answered anew. */
export async function readFile(
  session: CDPSession,
  requestId: string,
  admit: (firstBytes: Uint8Array) => Admission,
  maxBytes: number,
): Promise<Uint8Array> {
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const part = await session.send('IO.read', { handle: stream, size: CHUNK_BYTES });
      const chunk = Buffer.from(part.data, part.base64Encoded ? 'base64' : 'utf8');
      if (length === 0 && chunk.length > 0 && admit(chunk) === 'enough') return new Uint8Array();
      length += chunk.length;
      if (length > maxBytes) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
      chunks.push(chunk);
      if (part.eof) return Buffer.concat(chunks);
    }
  } finally {
    session.send('IO.close', { handle: stream }).catch(() => {});
  }
}
