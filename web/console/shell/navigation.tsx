// The navigation between the pages, the reader's theme, and who is logged in.
import { useLocation } from 'preact-iso';
import { AccountMenu } from '../session/account-menu.tsx';
import { type Me, mayUse } from '../session/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { isDark, switchTheme } from '../ui/controls/theme.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

interface Page {
  path: string;
  label: string;
  icon: IconName;
  /** Another address of the same page. */
  also?: string;
  /** The calls that it needs: a restricted key that may not make them has no use for the page. */
  needs?: Me['groups'][number];
}

const PAGES: readonly Page[] = [
  { path: '/', label: 'Playground', icon: 'playground', also: '/console/playground' },
  { path: '/console/search', label: 'Search', icon: 'search', needs: 'search' },
  { path: '/console/jobs', label: 'Jobs', icon: 'jobs' },
  { path: '/console/pages', label: 'Pages', icon: 'pages', needs: 'scrape' },
  { path: '/console/collections', label: 'Collections', icon: 'collections', needs: 'collection' },
  { path: '/console/query', label: 'Query', icon: 'query', needs: 'scrape' },
  { path: '/console/health', label: 'Health', icon: 'health' },
  { path: '/console/settings', label: 'Settings', icon: 'settings' },
];

export function Navigation() {
  const { path } = useLocation();
  return (
    <header class="sidebar">
      <a class="brand" href="/" aria-label="Trawl console">
        <Logo />
        <span class="label">Trawl</span>
      </a>
      <nav class="navigation" aria-label="Console">
        {PAGES.filter(({ needs }) => needs === undefined || mayUse(needs)).map((page) => (
          <a key={page.path} href={page.path} title={page.label} aria-current={isAt(path, page) ? 'page' : undefined}>
            <Icon name={page.icon} size={20} />
            <span class="label">{page.label}</span>
          </a>
        ))}
      </nav>
      <div class="sidebar-foot">
        <nav aria-label="Help" class="sidebar-links">
          <a
            href="/console/manual"
            title="Manual"
            aria-current={path.startsWith('/console/manual') ? 'page' : undefined}
          >
            <Icon name="info" size={20} />
            <span class="label">Manual</span>
          </a>
        </nav>
        <Button
          kind="quiet"
          icon={isDark() ? 'sun' : 'moon'}
          label={isDark() ? 'Use light colours' : 'Use dark colours'}
          onClick={switchTheme}
        >
          <span class="label">{isDark() ? 'Light' : 'Dark'}</span>
        </Button>
        <AccountMenu />
      </div>
    </header>
  );
}

const isAt = (path: string, { path: own, also = own }: Page): boolean =>
  path === own || path === also || path.startsWith(`${also}/`);

/** A trawl net. */
const Logo = () => (
  <svg
    width="24"
    height="24"
    viewBox="0 0 32 32"
    fill="none"
    stroke="currentColor"
    stroke-width="2.4"
    stroke-linecap="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M4 8h24M16 8v8M8 8c0 10 3.5 16 8 16s8-6 8-16M8.8 14h14.4M10.5 19h11" />
  </svg>
);
