// The entry point of a page thread, which transforms pages and does the work that understanding them takes. Each kind of
// work loads its code with its first call.
import { platform, setPriority } from 'node:os';
import { forgetTree } from '../markup/page-tree/kept-tree.ts';
import { serveThread } from '../runtime/threads/thread.ts';
import type { Ready } from '../runtime/threads/threads.ts';
import type { TransformWork } from '../transform/transform-work.ts';
import { type UnderstandWork, understandWork } from '../understand/understand-work.ts';

// Lets the event loop of the main thread go first. Only on Linux does the priority apply to a single thread.
if (platform() === 'linux') setPriority(10);

/** The calls that a page thread answers. */
export type PageThread = Ready & TransformWork & UnderstandWork;

const programs = () => import('../understand/json/program/select-by-programs.ts');
const transformWork = async () => (await import('../transform/transform-work.ts')).transformWork;

serveThread<PageThread>({
  ready: () => {},
  onRest: forgetTree,
  async transform(request) {
    forgetTree();
    const select = request.programs && (await programs()).selectByPrograms;
    return (await transformWork()).transform(request, select);
  },
  rescue: async (request) => (await transformWork()).rescue(request),
  ...understandWork,
});
