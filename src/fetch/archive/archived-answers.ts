// Answers from an archive instead of the web, for the engines: as a way out that never leaves, and as responses for a browser.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { DEFAULT_LIMITS, type Egress } from '../../net/egress.ts';
import { type BodyLimits, decodeBody } from '../../net/http/decode-body.ts';
import { joinLines, responseHeaders } from '../../net/http/headers.ts';
import { readBody } from '../../net/http/response-body.ts';
import type { HeaderLines } from '../../net/recorder.ts';

export interface ArchivedAnswer {
  status: number;
  headers: HeaderLines;
  /** With its content coding. */
  body: Uint8Array;
}

/** What an archive has. Answers to the same request come in the order in which they were received, and the last one again. */
export interface ArchivedAnswers {
  /** Throws ARCHIVE_MISS. */
  answer(url: URL, method: string): Promise<ArchivedAnswer>;
}

export const archiveMiss = ({ href }: URL): ServiceError =>
  new ServiceError('ARCHIVE_MISS', {
    message: `The archive does not have ${href}, and nothing is fetched for a request with \`source\`. Leave out \`source\` to read the page from the web.`,
  });

/** What was said about bytes as they were sent: here they are whole. */
const ABOUT_BYTES = /^(?:content-(?:encoding|length)|transfer-encoding|x-orig-.*)$/i;

/** The same interface as the way out, for the engines without scripts. */
export const answerFromArchive = ({ answer }: ArchivedAnswers, maxPageBytes: number): Pick<Egress, 'request'> => ({
  async request({ url, method = 'GET', maxBytes = maxPageBytes }, signal) {
    signal.throwIfAborted();
    const { status, headers: lines, body } = await answer(url, method);
    const { headers, setCookies } = responseHeaders(joinLines(lines));
    const raw = {
      bytes: Readable.from([body]),
      contentEncoding: headers['content-encoding'],
      announcedBytes: body.byteLength,
      release: () => {},
    };
    const limits = { ...DEFAULT_LIMITS, maxBytes };
    return { url, status, headers, setCookies, isVerified: true, body: readBody(raw, limits, signal) };
  },
});

/** For a browser, which gets bodies without their coding. */
export async function decodedAnswer(
  { status, headers, body }: ArchivedAnswer,
  maxBytes: number,
): Promise<{ status: number; headers: { name: string; value: string }[]; body: Buffer }> {
  const limits: BodyLimits = { ...DEFAULT_LIMITS, maxBytes };
  const coding = joinLines(headers)['content-encoding'];
  const decoded = decodeBody(Readable.from([body]), coding && [coding].flat().join(', '), limits);
  return {
    status,
    headers: headers.filter(([name]) => !ABOUT_BYTES.test(name)).map(([name, value]) => ({ name, value })),
    body: await buffer(decoded),
  };
}
