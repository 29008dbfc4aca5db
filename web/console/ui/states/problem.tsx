// An error in words, with its code for those who look it up, and a way to try again.
import type { ComponentChildren } from 'preact';
import { ApiError, problemText } from '../../api/api-error.ts';
import { Button } from '../controls/button.tsx';
import { Words } from '../text/words.tsx';

interface Props {
  error: unknown;
  onRetry?: () => void;
  children?: ComponentChildren;
}

export function Problem({ error, onRetry, children }: Props) {
  return (
    <div class="notice notice-bad" role="alert">
      <p class="notice-title">
        <Words text={problemText(error)} />
      </p>
      {error instanceof ApiError && error.status >= 400 && (
        <p class="small soft">
          Status {error.status}, code <code>{error.code}</code>
        </p>
      )}
      {children}
      {onRetry && (
        <div>
          <Button isSmall icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
