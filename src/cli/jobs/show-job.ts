// Follows jobs on the screen: progress while they run, each page as it arrives, a summary at the end.
import { ApiError } from '../../client/api-error.ts';
import type { JobStatusHead } from '../../contracts/crawl/job.ts';
import { systemClock } from '../../util/clock.ts';
import type { Invocation, Progress, ServiceSession } from '../command.ts';
import { type DocumentOutput, openDocumentOutput } from '../documents/document-output.ts';
import { EXIT } from '../exit-codes.ts';
import { followJob, type JobPage } from './follow-job.ts';
import type { JobCalls } from './job-kind.ts';
import { leaveJobs } from './leave-job.ts';

export interface ShownJobs {
  kind: JobCalls;
  /** More than one if a list of URLs was longer than a batch may be, or came slower than the batch went. */
  ids: readonly string[];
  /** This command did not start it, so a service that ends with the command does not work on it. */
  isForeign?: boolean;
  /** Documents that are already known. */
  skip?: number;
  output: DocumentOutput;
}

type Tools = Pick<Invocation, 'screen' | 'signal'>;

/** Where the pages go: call it before the job is started, so that nothing is begun for a name that cannot be used. */
export const openPages = (
  { flags, screen }: Pick<Invocation, 'flags' | 'screen'>,
  { api }: ServiceSession,
): Promise<DocumentOutput> => openDocumentOutput(flags.output as string | undefined, screen, api);

/** Returns the exit code; undefined if it was interrupted, because what interrupted it decides then. */
export async function showJobs(
  jobs: ShownJobs,
  { screen, signal }: Tools,
  session: ServiceSession,
): Promise<number | undefined> {
  const { kind, ids, output, skip = 0, isForeign = false } = jobs;
  const progress = screen.progress(kind.name === 'crawl' ? 'Crawling' : 'Scraping');
  const totals = { pages: 0, failed: 0, credits: 0, seconds: 0, ended: [] as JobStatusHead[] };
  try {
    for (const [index, id] of ids.entries()) {
      const state = await showJob(
        { kind, id, output, skip: index === 0 ? skip : 0, isForeign },
        { screen, signal, progress },
        session,
      );
      totals.pages += state.completed;
      totals.credits += state.creditsUsed;
      totals.seconds += state.duration ?? 0;
      totals.failed += state.failed;
      totals.ended.push(state);
    }
    await output.close();
  } catch (error) {
    progress.end();
    await output.close().catch(() => {});
    // A disk that is full, for example: what a service of this command has begun can be continued as after Ctrl-C.
    if (signal.aborted || (session.isEmbedded && !isForeign)) await leaveJobs(kind, ids, { screen, session });
    if (!signal.aborted) throw error;
    return undefined;
  }
  progress.end();
  return sayEnd(kind, ids, totals, { screen, output });
}

interface ShownJob {
  kind: JobCalls;
  id: string;
  isForeign: boolean;
  output: DocumentOutput;
  skip: number;
}

async function showJob(
  { kind, id, output, skip, isForeign }: ShownJob,
  { screen, signal, progress }: Tools & { progress: Progress },
  { api, isEmbedded }: ServiceSession,
): Promise<JobStatusHead> {
  let isPaused = false;
  return followJob(
    {
      read: async (from) =>
        (await api.call(kind.calls.status, { params: { id }, query: { skip: from }, signal })) as JobPage,
      onDocument: (page) => output.write(page),
      onState(state) {
        const { completed, total, failed } = state;
        progress.update({ done: completed, total, ...(failed > 0 && { note: `${failed} failed` }) });
        if (isEmbedded && isForeign && state.status === 'scraping') {
          throw jobFailure(
            `No service works on this ${kind.name}. \`trawl ${kind.name} resume ${id}\` continues it with this command.`,
          );
        }
        if (state.paused && !isPaused) {
          screen.note(`The ${kind.name} is paused. \`trawl ${kind.name} resume ${id}\` resumes it.`);
        }
        isPaused = state.paused === true;
      },
    },
    { clock: systemClock, signal, note: screen.note, skip },
  );
}

/** The failure of a job is reported like that of a call. */
const jobFailure = (message: string): ApiError =>
  new ApiError(message, { code: 'JOB_FAILED', status: 500, retryAfter: undefined, body: undefined });

interface Totals {
  pages: number;
  failed: number;
  credits: number;
  seconds: number;
  ended: readonly JobStatusHead[];
}

function sayEnd(
  { name }: JobCalls,
  ids: readonly string[],
  { pages, failed, credits, seconds, ended }: Totals,
  { screen, output }: Pick<Tools, 'screen'> & { output: DocumentOutput },
): number {
  const where = output.path === undefined ? '' : ` They are in ${output.path}.`;
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  screen.note(`${count(pages, 'page')}${failures}, ${count(credits, 'credit')}, ${seconds.toFixed(1)} s.${where}`);
  if (failed > 0)
    for (const id of ids)
      screen.note(
        `\`trawl ${name} errors ${id}\` lists the failed pages, \`trawl ${name} retry ${id}\` reads them again.`,
      );
  for (const { warning } of ended) if (warning !== undefined && failed === 0) screen.note(warning);
  const bad = ended.find(({ status }) => status !== 'completed');
  if (bad) throw jobFailure(bad.error ?? `The ${name} was ${bad.status}.`);
  if (failed === 0) return EXIT.ok;
  return pages === 0 ? EXIT.failed : EXIT.partly;
}

export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`;
