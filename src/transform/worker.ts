// The inside of a transform thread.
import { platform, setPriority } from 'node:os';
import type { PageOutcome, TransformOutcome, TransformRequest } from '../contracts/page.ts';
import { Moved, serveThread } from '../util/thread.ts';
import { createExtractor, type Extractor } from './main-content/extractor.ts';
import { loadModel } from './main-content/model.ts';
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

serveThread({
  ready: () => true,
  transform: (request: TransformRequest) => written(pipeline(request)),
  rescue: (request: TransformRequest) => written(rescue(request)),
});

/** Content and entry become text here, beside the other work of a page, and move on as bytes that nobody has to copy. */
function written({ content, entry, ...rest }: TransformOutcome): Moved {
  const bytes = encoded(content);
  if (!entry) return new Moved({ ...rest, content: bytes } satisfies PageOutcome, [bytes.buffer]);
  const entryBytes = encoded(entry);
  const outcome: PageOutcome = { ...rest, content: bytes, entry: entryBytes };
  return new Moved(outcome, [bytes.buffer, entryBytes.buffer]);
}

const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
