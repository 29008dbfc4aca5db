// Documents as a parser gives them, on their way through the transform.
import type { TransformOptions, TransformOutcome, TransformRequest } from '../../../../src/contracts/page.ts';
import type { FileKind, ParsedFile } from '../../../../src/contracts/parsed.ts';
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

export const documentRequest = (body: ParsedFile['body'], sample: Sample = {}): TransformRequest => ({
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

/** Neither the verdict nor the main content is asked for: a document has none but itself. */
export const run = createPipeline({
  judge: () => {
    throw new Error('A document is not judged.');
  },
  extract: () => {
    throw new Error('A document is content as a whole.');
  },
});

export const transform = (body: ParsedFile['body'], sample?: Sample): TransformOutcome =>
  run(documentRequest(body, sample));
