// The response of the main frame: either a page that the browser shows, or a file that is taken as it is.
import type { CDPSession } from 'playwright-core';
import type { DownloadDecision } from '../../engine.ts';
import { readAdmitted } from '../../read-admitted.ts';

export interface MainResponse {
  url: string;
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Set for files only. A page is read once it has been rendered. */
  bytes?: Uint8Array;
}

const CHUNK_BYTES = 1024 * 1024;
const SIZES = `(({ encodedBodySize, decodedBodySize } = {}) => [encodedBodySize, decodedBodySize])(
  performance.getEntriesByType('navigation')[0])`;
/** Compression adds headers, and a little for each block that cannot be made smaller. */
const OVERHEAD_BYTES = 1_024;
const OVERHEAD_SHARE = 0.01;

/** Whether the browser renders it. Without a content type it would sniff the bytes. */
export function isPage(response: MainResponse): boolean {
  const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return (
    ['', 'text/html', 'application/xhtml+xml'].includes(type) && !isAttachment(response) && response.status !== 204
  );
}

export const isAttachment = ({ headers }: MainResponse): boolean =>
  /^\s*attachment\b/i.test(headers['content-disposition'] ?? '');

/** Reads the body of a paused response. Afterwards the response cannot be continued, only aborted or fulfilled anew. */
export const readFile = (
  session: CDPSession,
  requestId: string,
  admit: (firstBytes: Uint8Array) => DownloadDecision,
  maxBytes: number,
): Promise<Uint8Array> => readAdmitted(responseBody(session, requestId), admit, maxBytes);

async function* responseBody(session: CDPSession, requestId: string): AsyncGenerator<Uint8Array> {
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId });
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: CHUNK_BYTES });
      yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      if (eof) return;
    }
  } finally {
    session.send('IO.close', { handle: stream }).catch(() => {});
  }
}

/**
 * Whether more was received for the page than can be in what was decoded. Of several gzip members, Chromium decodes only
 * the first and drops the rest without an error: the page would be a part of itself, or empty.
 */
export async function isCutByDecoding(session: CDPSession, response: MainResponse | undefined): Promise<boolean> {
  if (!response?.headers['content-encoding']) return false;
  const { frameTree } = await session.send('Page.getFrameTree');
  // In a world of its own: scripts of the page could answer something else.
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'sizes' });
  const { result } = await session.send('Runtime.evaluate', {
    contextId: world.executionContextId,
    expression: SIZES,
    returnByValue: true,
  });
  const [encoded, decoded] = (result.value as unknown[]).map((size) => Number(size) || 0);
  return encoded! > decoded! * (1 + OVERHEAD_SHARE) + OVERHEAD_BYTES;
}
