// The page "Jobs": what runs and what has run, and the monitors that start checks by themselves.
import { useLocation } from 'preact-iso';
import { mayUse } from '../session/session.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { JobList } from './list/job-list.tsx';
import { MonitorList } from './monitors/monitor-list.tsx';

const TABS = [
  { id: 'jobs', label: 'Jobs' },
  { id: 'monitors', label: 'Monitors' },
] as const;

export function Jobs() {
  const { query, route } = useLocation();
  const current = query.tab === 'monitors' && mayUse('monitor') ? 'monitors' : 'jobs';
  return (
    <>
      <PageHead
        title="Jobs"
        intro="Crawls, batches, agents, extractions and monitors of your team. Results are kept for a day after the end, checks for as long as their monitor says."
      >
        {mayUse('crawl') && (
          <ButtonLink kind="primary" icon="plus" href="/console/playground/crawl">
            Start a crawl
          </ButtonLink>
        )}
      </PageHead>
      <Tabs
        label="Jobs and monitors"
        tabs={TABS.filter(({ id }) => id === 'jobs' || mayUse('monitor'))}
        current={current}
        onSelect={(id) => route(id === 'monitors' ? '/console/jobs?tab=monitors' : '/console/jobs', true)}
      >
        {current === 'jobs' ? <JobList /> : <MonitorList />}
      </Tabs>
    </>
  );
}
