// The frame around every page: navigation, the page itself, messages. Pages are loaded when they are opened.
import { LocationProvider, lazy, Route, Router } from 'preact-iso';
import { Gate } from './session/gate.tsx';
import { Navigation } from './shell/navigation.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import { Confirmation } from './ui/controls/dialog.tsx';
import { Toasts } from './ui/states/toasts.tsx';

const Playground = lazy(() => import('./playground/playground.tsx').then(({ Playground }) => Playground));
const Search = lazy(() => import('./search/search.tsx').then(({ Search }) => Search));
const Jobs = lazy(() => import('./jobs/jobs.tsx').then(({ Jobs }) => Jobs));
const Job = lazy(() => import('./jobs/job.tsx').then(({ Job }) => Job));
const Pages = lazy(() => import('./pages/pages.tsx').then(({ Pages }) => Pages));
const Query = lazy(() => import('./query/query.tsx').then(({ Query }) => Query));
const Collections = lazy(() => import('./collections/collections.tsx').then(({ Collections }) => Collections));
const Health = lazy(() => import('./health/health.tsx').then(({ Health }) => Health));
const Manual = lazy(() => import('./manual/manual.tsx').then(({ Manual }) => Manual));
const Settings = lazy(() => import('./settings/settings.tsx').then(({ Settings }) => Settings));

/** Screen readers and the keyboard go on from the new page, unless it has put the focus somewhere itself. */
function startAtTheContent(): void {
  if (document.activeElement?.closest('.sidebar')) document.getElementById('content')?.focus({ preventScroll: true });
}

export function App() {
  return (
    <LocationProvider>
      <Gate>
        <a class="skip-link" href="#content">
          Skip to the content
        </a>
        <div class="frame">
          <Navigation />
          <main id="content" class="content" tabIndex={-1}>
            <PageBoundary>
              <Router onRouteChange={startAtTheContent}>
                <Route path="/" component={Playground} />
                <Route path="/console/playground/:operation?" component={Playground} />
                <Route path="/console/search" component={Search} />
                <Route path="/console/jobs" component={Jobs} />
                <Route path="/console/jobs/:kind/:id" component={Job} />
                <Route path="/console/pages" component={Pages} />
                <Route path="/console/collections/:name?" component={Collections} />
                <Route path="/console/query" component={Query} />
                <Route path="/console/health" component={Health} />
                <Route path="/console/settings/:section?" component={Settings} />
                <Route path="/console/manual/:group?/:name?" component={Manual} />
                <Route default component={NotFound} />
              </Router>
            </PageBoundary>
          </main>
        </div>
      </Gate>
      <Confirmation />
      <Toasts />
    </LocationProvider>
  );
}
