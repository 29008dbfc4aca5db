// The navigation between the pages.
import { useLocation } from 'preact-iso';

const PAGES = [
  { path: '/', label: 'Playground', also: '/console/playground' },
  { path: '/console/search', label: 'Search' },
  { path: '/console/jobs', label: 'Jobs' },
  { path: '/console/pages', label: 'Pages' },
  { path: '/console/health', label: 'Health' },
  { path: '/console/settings', label: 'Settings' },
];

export function Navigation() {
  const { path } = useLocation();
  const isCurrent = (page: (typeof PAGES)[number]) =>
    path === page.path || path.startsWith(`${page.also ?? page.path}/`) || path === page.also;
  return (
    <nav class="navigation" aria-label="Console">
      {PAGES.map((page) => (
        <a key={page.path} href={page.path} aria-current={isCurrent(page) ? 'page' : undefined}>
          {page.label}
        </a>
      ))}
    </nav>
  );
}
