// The transform as a page thread runs it.

import { SelectorTooComplex } from '../markup/html/select-nodes.ts';
import type { TransformOutcome, TransformRequest, TransformResult } from '../page/page.ts';
import { carriedSource } from '../page/understanding.ts';
import { type Hosted, Moved } from '../runtime/threads/thread.ts';
import { freeBytes } from '../util/bytes/free-bytes.ts';
import { toJsonBytes } from '../util/json/json-bytes.ts';
import { lazy } from '../util/lazy.ts';
import { createExtractor, type Extractor } from './main-content/extractor.ts';
import { loadModel } from './main-content/model/model.ts';
import { createPipeline, type SelectByPrograms } from './pipeline.ts';
import { rescue } from './rescue.ts';
import { createJudge } from './verdict/judge.ts';

// The model is loaded with the first HTML page: a thread that only reads plain text, such as the manual, never needs it.
const extractor = lazy(() => createExtractor(loadModel()));
const extract: Extractor = (...page) => extractor()(...page);
const pipeline = createPipeline({ judge: createJudge(), extract });

/** The page itself is fine, but not what the request wants from it. Errors would lose their class on the way. */
export interface TooComplex {
  tooComplex: string;
}

export interface TransformWork {
  /** `select` comes from the thread itself, which has other work than the transform, too. */
  transform(request: TransformRequest, select?: SelectByPrograms): Promise<TransformResult | TooComplex>;
  /** The cheap fallback for a page that the pipeline could not finish. */
  rescue(request: TransformRequest): Promise<TransformResult>;
}

export const transformWork: Hosted<TransformWork> = {
  transform(request, select) {
    try {
      const outcome = serialised(pipeline(request, select));
      freeBytes(request.page.bytes);
      return outcome;
    } catch (error) {
      if (error instanceof SelectorTooComplex) return { tooComplex: error.message };
      throw error;
    }
  },
  rescue: (request) => serialised(rescue(request)),
};

/** Content, entry and data become JSON here rather than on the main thread, and are transferred as bytes without a copy. */
function serialised({ entry, source, data: _, ...rest }: TransformOutcome): Moved<TransformResult> {
  const bytes = { content: toJsonBytes(rest.content), ...(entry && { entry: toJsonBytes(entry) }) };
  const carried = source && carriedSource(source);
  const moved = [...Object.values(bytes), ...(carried?.data ? [carried.data] : [])];
  return new Moved(
    { ...rest, ...bytes, ...(carried && { source: carried }) },
    moved.map(({ buffer }) => buffer),
  );
}
