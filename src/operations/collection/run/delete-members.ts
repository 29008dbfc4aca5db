// Deletes what a run knows to be gone: members that answered 404 or 410, and members that nothing leads to any more. A run that
// did not end by itself deletes nothing, and a site of which a page could not be read keeps what only that page may lead to.
import type { CollectionRunResult } from '../../../contracts/collection/collection.ts';
import { PAGES, UPLOADS } from '../../../store/ports/collections/member-store.ts';
import type { PageTarget } from '../../monitor/check/child-job.ts';
import type { PageProblem } from './read-target.ts';
import type { RunContext } from './run-context.ts';

const GROUP = 500;
const MAX_SHOWN_PROBLEMS = 20;

type Deleted = Pick<CollectionRunResult, 'kept' | 'problems'> & { deleted: number };

/** `unended`: why targets were not read to their end. */
export async function deleteMembers(
  context: RunContext,
  unended: readonly string[],
  unread: readonly PageProblem[],
): Promise<Deleted> {
  const { definition, isNew } = context.request;
  const ids = [...definition.targets.map(({ id }) => id), PAGES];
  const ofMembers = (await Promise.all(ids.map((id) => problemsOf(context, id)))).flat();
  const known = new Set(ofMembers.map(({ url }) => url));
  const problems = [...ofMembers, ...unread.filter(({ url }) => !known.has(url))].slice(0, MAX_SHOWN_PROBLEMS);
  if (unended.length > 0) return { deleted: 0, kept: [...unended, NOTHING_DELETED], problems };
  if (isNew) return { deleted: 0, kept: [], problems };
  const kept: string[] = [];
  let deleted = await deleteAll(context, 'gone', (run) => context.deps.collections.deleteGone(run, GROUP));
  for (const target of definition.targets) {
    const [problem] = target.type === 'crawl' ? await problemsOf(context, target.id) : [];
    if (problem) kept.push(whyKept(target, problem));
    else deleted += await deleteUnreached(context, target.id);
  }
  for (const id of await formerTargets(context)) deleted += await deleteUnreached(context, id);
  return { deleted, kept, problems };
}

const NOTHING_DELETED = 'So nothing was deleted.';

const whyKept = (target: PageTarget, { url, problem }: { url: string; problem: string }): string =>
  `${url} could not be read (${problem}) Only it may lead to other pages of ${target.type === 'crawl' ? target.url : 'the list'}, so those that were not reached were not deleted.`;

function problemsOf({ deps, run, request, tools }: RunContext, targetId: string) {
  const query = { collectionId: request.collectionId, runId: run.id, targetId };
  return tools.step({ key: `problems of ${targetId}`, name: 'problems' }, async () => ({
    output: await deps.collections.problemsOf(query, MAX_SHOWN_PROBLEMS),
  }));
}

/** Targets that the collection had before: nothing reaches their pages, unless another target does. */
function formerTargets({ deps, request, tools }: RunContext): Promise<string[]> {
  const { collectionId, definition } = request;
  const present = new Set([...definition.targets.map(({ id }) => id), PAGES, UPLOADS]);
  return tools.step({ key: 'former targets', name: 'targets' }, async () => ({
    output: (await deps.collections.targetsOf(collectionId)).filter((id) => !present.has(id)),
  }));
}

const deleteUnreached = (context: RunContext, targetId: string): Promise<number> =>
  deleteAll(context, targetId, (run) => context.deps.collections.deleteUnreached({ ...run, targetId }, GROUP));

interface DeletingRun {
  collectionId: string;
  runId: string;
  now: number;
}

/** In groups, each of which is a step: others wait for no more than that. */
async function deleteAll(
  { deps, run, request, tools }: RunContext,
  what: string,
  deleteSome: (run: DeletingRun) => Promise<number>,
): Promise<number> {
  let deleted = 0;
  for (let group = 0; ; group++) {
    const count = await tools.step({ key: `delete ${what} ${group}`, name: 'delete' }, async () => ({
      output: await deleteSome({ collectionId: request.collectionId, runId: run.id, now: deps.clock.now() }),
    }));
    deleted += count;
    if (count < GROUP) return deleted;
  }
}
