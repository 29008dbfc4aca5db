// Catches what goes wrong while a page is loaded or drawn, so that the navigation stays usable.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary, useLocation } from 'preact-iso';
import { Button } from '../ui/controls/button.tsx';

const failure = signal<Error | undefined>(undefined);

export function PageBoundary({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  useEffect(() => {
    failure.value = undefined;
  }, [path]);
  const onError = (error: Error) => {
    failure.value = error;
  };
  if (failure.value) return <Failure error={failure.value} />;
  return <ErrorBoundary onError={onError}>{children}</ErrorBoundary>;
}

/** After an upgrade of the service, the files of the page that is still open no longer exist. */
const isMissingFile = ({ message }: Error): boolean => /import|module|fetch/i.test(message);

const Failure = ({ error }: { error: Error }) => (
  <div class="notice notice-bad" role="alert">
    <p class="notice-title">
      {isMissingFile(error)
        ? 'This page could not be loaded. The service may have been updated or stopped: reload to try again.'
        : 'This page has failed. Reload to try again; if it fails again, please report it with this text:'}
    </p>
    {!isMissingFile(error) && <code>{error.message}</code>}
    <div>
      <Button icon="refresh" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  </div>
);
