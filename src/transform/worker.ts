// The inside of a transform thread.
import { platform, setPriority } from 'node:os';
import type { PageOutcome, TransformOutcome, TransformRequest } from '../contracts/page.ts';
import { Moved, serveThread } from '../util/thread.ts';
import { createExtractor } from './main-content/extractor.ts';
import { loadModel } from './main-content/model.ts';
import { createPipeline } from './pipeline.ts';
import { rescue } from './rescue.ts';
import { createJudge } from './verdict/judge.ts';

// The event loop answers callers and must not wait for a core behind pages. Only on Linux is this a matter of one thread.
if (platform() === 'linux') setPriority(10);

const pipeline = createPipeline({ judge: createJudge(), extract: createExtractor(loadModel()) });

serveThread({
  ready: () => true,
  transform: (request: TransformRequest) => written(pipeline(request)),
  rescue: (request: TransformRequest) => written(rescue(request)),
});

/** The content becomes text here, beside the other work of a page, and moves on as bytes that nobody has to copy. */
function written({ content, ...rest }: TransformOutcome): Moved {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return new Moved({ ...rest, content: bytes } satisfies PageOutcome, [bytes.buffer]);
}
