// The inside of a transform thread.
import type { TransformRequest } from '../contracts/page.ts';
import { serveThread } from '../util/thread.ts';
import { createPipeline } from './pipeline.ts';
import { rescue } from './rescue.ts';
import { createJudge } from './verdict/judge.ts';

const pipeline = createPipeline(createJudge());

serveThread({
  ready: () => true,
  transform: (request: TransformRequest) => pipeline(request),
  rescue: (request: TransformRequest) => rescue(request),
});
