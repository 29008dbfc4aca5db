// One job at its own address: a crawl or batch, an agent, an extraction, or a monitor.
import { ButtonLink } from '../ui/controls/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { MonitorPage } from './monitors/monitor-page.tsx';
import { PageJob } from './pages/page-job.tsx';
import { AgentJob } from './runs/agent-job.tsx';
import { ExtractJob } from './runs/extract-job.tsx';

export function Job({ kind, id }: { kind: string; id: string }) {
  switch (kind) {
    case 'crawl':
    case 'batch':
      return <PageJob key={id} kind={kind} id={id} />;
    case 'agent':
      return <AgentJob key={id} id={id} />;
    case 'extract':
      return <ExtractJob key={id} id={id} />;
    case 'monitor':
      return <MonitorPage key={id} id={id} />;
    default:
      return (
        <>
          <PageHead title="Job" />
          <Empty title="There is no such kind of job">
            <ButtonLink href="/console/jobs">Show all jobs</ButtonLink>
          </Empty>
        </>
      );
  }
}
