// Reads a page as a scrape does, up to what formats are made from. In this process, so that its CPU time can be told apart.
import type { TransformRequest } from '../../src/page/page.ts';
import type { PageSource } from '../../src/page/understanding.ts';
import { createExtractor } from '../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../src/transform/pipeline.ts';
import { createJudge } from '../../src/transform/verdict/judge.ts';

export type ReadSource = (page: { url: string; html: string }) => PageSource;

export function createSourceReader(): ReadSource {
  const pipeline = createPipeline({ judge: createJudge(), extract: createExtractor(loadModel()) });
  return ({ url, html }) => {
    const bytes = new TextEncoder().encode(html);
    const request: TransformRequest = {
      page: { finalUrl: url, status: 200, headers: {}, contentType: 'text/html; charset=utf-8', bytes, fetchedAt: 1 },
      options: {
        ...{ formats: ['markdown'], onlyMainContent: true, includeTags: [], excludeTags: [], blockAds: true },
        removeBase64Images: true,
      },
      source: { data: true, html: true },
    };
    return pipeline(request).source!;
  };
}
