// The inside of a transform thread.
import { platform, setPriority } from 'node:os';
import type { TransformRequest } from '../contracts/page.ts';
import { serveThread } from '../util/thread.ts';
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
  transform: (request: TransformRequest) => pipeline(request),
  rescue: (request: TransformRequest) => rescue(request),
});
