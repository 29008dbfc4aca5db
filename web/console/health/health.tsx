// The page "Health": how the service does, its browsers and providers, and what was used. Others than the operator see
// what belongs to their own team.
import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { isOperator } from '../session/session.ts';
import { Tabs } from '../ui/controls/tabs.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Browsers } from './browsers/browsers.tsx';
import { OwnSessions } from './browsers/own-sessions.tsx';
import { Overview } from './overview/overview.tsx';
import { Providers } from './providers/providers.tsx';
import { TeamOverview } from './team-overview.tsx';
import { Usage } from './usage/usage.tsx';

interface View {
  id: string;
  label: string;
  Content: ComponentType;
}

const USAGE: View = { id: 'usage', label: 'Usage', Content: Usage };
const OPERATORS: readonly View[] = [
  { id: 'overview', label: 'Overview', Content: Overview },
  { id: 'browsers', label: 'Browsers', Content: Browsers },
  { id: 'providers', label: 'Providers and models', Content: Providers },
  USAGE,
];
const TEAMS: readonly View[] = [
  { id: 'overview', label: 'Overview', Content: TeamOverview },
  { id: 'browsers', label: 'Sessions', Content: OwnSessions },
  USAGE,
];

export function Health() {
  const { query, route } = useLocation();
  const views = isOperator() ? OPERATORS : TEAMS;
  const { id, Content } = views.find((view) => view.id === query.view) ?? views[0]!;
  return (
    <>
      <PageHead
        title="Health"
        intro={
          isOperator()
            ? 'How the service is doing, and what it was used for.'
            : 'How busy your team is, and what it used.'
        }
      />
      <Tabs label="Health" tabs={views} current={id} onSelect={(next) => route(`/console/health?view=${next}`, true)}>
        <Content key={id} />
      </Tabs>
    </>
  );
}
