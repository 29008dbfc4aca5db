// The page "Settings": a section each for keys, teams, agents, domains, threats, webhooks, providers and the audit log.
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { isOperator, mayManage } from '../session/session.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { Agents } from './agents.tsx';
import { Audit } from './audit.tsx';
import { Domains } from './domains.tsx';
import { Keys } from './keys/keys.tsx';
import { Providers } from './providers.tsx';
import { NotAllowed } from './section-head.tsx';
import { Teams } from './teams/teams.tsx';
import { Threats } from './threats.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

interface Section {
  id: string;
  label: string;
  content: FunctionComponent;
  isOperators?: true;
}

const ManagedKeys = () => (mayManage() ? <Keys /> : <NotAllowed who="manager" />);

const SECTIONS: readonly Section[] = [
  { id: 'keys', label: 'Keys', content: ManagedKeys },
  { id: 'teams', label: 'Teams', content: Teams, isOperators: true },
  { id: 'agents', label: 'Agents', content: Agents, isOperators: true },
  { id: 'domains', label: 'Search domains', content: Domains },
  { id: 'threats', label: 'Threat protection', content: Threats },
  { id: 'webhooks', label: 'Webhooks', content: Webhooks },
  { id: 'providers', label: 'Providers and models', content: Providers, isOperators: true },
  { id: 'audit', label: 'Audit log', content: Audit },
];

export function Settings() {
  const { section: id = 'keys' } = useRoute().params;
  const section = SECTIONS.find((each) => each.id === id);
  // Sections of the operator are not offered to others; somebody who follows a link is told why.
  const offered = SECTIONS.filter((each) => !each.isOperators || isOperator());
  const tabs = useRef<HTMLElement>(null);
  // On a phone the tabs scroll, and the current one may be out of sight.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [id]);
  return (
    <>
      <PageHead title={section ? `Settings: ${section.label}` : 'Settings'} />
      <nav ref={tabs} class="tabs" aria-label="Sections of the settings">
        {offered.map((each) => (
          <a
            key={each.id}
            class="tab"
            href={`/console/settings/${each.id}`}
            aria-current={each.id === id ? 'page' : undefined}
          >
            {each.label}
          </a>
        ))}
      </nav>
      <div class="settings-section">
        {section ? (
          <section.content key={section.id} />
        ) : (
          <Empty title="There is no such section">
            <p>Choose one above.</p>
          </Empty>
        )}
      </div>
    </>
  );
}
