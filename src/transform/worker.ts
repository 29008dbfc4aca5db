// The inside of a transform thread.
import { platform, setPriority } from 'node:os';
import type { PageOutcome, TransformOutcome, TransformRequest } from '../contracts/page.ts';
import { Moved, serveThread } from '../util/thread.ts';
import { createExtractor, type Extractor } from './main-content/extractor.ts';
import { loadModel } from './main-content/model/model.ts';
import { createPipeline } from './pipeline.ts';
import { rescue } from './rescue.ts';
import { createJudge } from './verdict/judge.ts';

// The event loop answers callers and must not wait for a core behind pages. Only on Linux is this a matter of one thread.
if (platform() === 'linux') setPriority(10);

// The weights come with the first HTML page: a thread that reads plain text, such as the manual, does without them.
let loaded: Extractor | undefined;
const extract: Extractor = (...page) => {
  loaded ??= createExtractor(loadModel());
  return loaded(...page);
};
const pipeline = createPipeline({ judge: createJudge(), extract });

/** What the pool may ask of a transform thread. */
export interface TransformThread {
  /** Answers once the thread has loaded its code. */
  ready(): Promise<void>;
  transform(request: TransformRequest): Promise<PageOutcome>;
  /** The cheap fallback for a page that the pipeline could not finish. */
  rescue(request: TransformRequest): Promise<PageOutcome>;
}

serveThread<TransformThread>({
  ready: () => {},
  transform: (request) => written(pipeline(request)),
  rescue: (request) => written(rescue(request)),
});

/** Content and entry become JSON here rather than on the main thread, and move on as bytes that nobody has to copy. */
function written({ content, entry, ...rest }: TransformOutcome): Moved<PageOutcome> {
  const bytes = encoded(content);
  if (!entry) return new Moved({ ...rest, content: bytes }, [bytes.buffer]);
  const entryBytes = encoded(entry);
  return new Moved({ ...rest, content: bytes, entry: entryBytes }, [bytes.buffer, entryBytes.buffer]);
}

const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
