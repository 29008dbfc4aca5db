// Parsed files as input for the transform.
import type { TransformOptions, TransformOutcome, TransformRequest } from '../../../../src/page/page.ts';
import type { FileKind, ParsedFile } from '../../../../src/page/parsed.ts';
import { createPipeline } from '../../../../src/transform/pipeline.ts';

export const FETCHED_AT = Date.UTC(2031, 4, 1);

export interface Sample {
  kind?: FileKind;
  url?: string;
  contentType?: string;
  headers?: Record<string, string>;
  options?: Partial<TransformOptions>;
  parsed?: Partial<ParsedFile>;
}

export const options: TransformOptions = {
  formats: ['markdown'],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
};

export const parsedFileRequest = (body: ParsedFile['body'], sample: Sample = {}): TransformRequest => ({
  page: {
    finalUrl: sample.url ?? 'https://example.com/files/report.pdf',
    status: 200,
    headers: sample.headers ?? {},
    contentType: sample.contentType ?? 'application/pdf',
    bytes: new Uint8Array(),
    fetchedAt: FETCHED_AT,
  },
  options: { ...options, ...sample.options },
  index: true,
  parsedFile: {
    facts: { kind: sample.kind ?? 'pdf' },
    parsed: { body, metadata: {}, warnings: [], ...sample.parsed },
  },
});

/** The judge and the extractor must not run: a parsed file is content as a whole. */
export const run = createPipeline({
  judge: () => {
    throw new Error('The judge must not run on a parsed file.');
  },
  extract: () => {
    throw new Error('The extractor must not run on a parsed file.');
  },
});

export const transform = (body: ParsedFile['body'], sample?: Sample): TransformOutcome =>
  run(parsedFileRequest(body, sample));
