// The frontier of a job by host: how many pages wait, run and have ended, and what politeness allows at each.
import type { JobHostsResponse } from '../../../contracts/crawl/job-list.ts';
import type { Politeness } from '../../../crawl/politeness/politeness.ts';
import type { JobKind, JobStore } from '../../../store/ports/jobs/job-store.ts';
import { iso } from '../../../util/clock.ts';
import type { Call } from '../../call.ts';
import { type FindJobDeps, findJob } from '../job-status.ts';

interface JobHostsDeps extends FindJobDeps {
  jobs: Pick<JobStore, 'view' | 'frontier'>;
  politeness: Pick<Politeness, 'describe' | 'initialSlots'>;
}

const jobHosts =
  (kind: JobKind) =>
  async (
    deps: JobHostsDeps,
    { caller, params, query }: Call<'crawlHosts' | 'batchHosts'>,
  ): Promise<JobHostsResponse> => {
    const { jobs, politeness } = deps;
    const { id } = await findJob(deps, caller, { ...params, kind });
    const { hosts, hostCount, sum } = await jobs.frontier(id, query.limit);
    return {
      success: true,
      data: hosts.map(({ memory, ...pages }) => {
        const state = politeness.describe(pages.host, memory);
        return {
          ...pages,
          slots: state?.slots ?? politeness.initialSlots,
          crawlDelay: state && state.crawlDelayMs > 0 ? state.crawlDelayMs / 1000 : null,
          pausedUntil: state?.pausedUntil === undefined ? null : iso(state.pausedUntil),
          refusals: state?.pauses ?? 0,
          averageMs: state?.averageMs ?? null,
        };
      }),
      hosts: hostCount,
      total: sum,
    };
  };
export const crawlHosts = jobHosts('crawl');
export const batchHosts = jobHosts('batch_scrape');
