// What a job was started with, and a way to start it again.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ResponseOf, SentBody } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { perform } from './parts.tsx';
import { playgroundAddress } from './playground-address.ts';

type Details = ResponseOf<'getJob'>['data'];

export function RequestTab({ kind, request, isWhole }: Pick<Details, 'kind' | 'request' | 'isWhole'>) {
  if (request === null) return <p class="soft">The request is not stored, because the job has zero data retention.</p>;
  const address = playgroundAddress(kind, request);
  return (
    <>
      <p class="soft">
        Options that have their default are left out.
        {!isWhole &&
          ' Values of headers and actions are hidden, and long lists are cut: fill them in before you send it again.'}
      </p>
      <CodeBlock label="Request" text={JSON.stringify(request, null, 2)} />
      <div class="row">
        {address !== undefined && (
          <ButtonLink icon="playground" href={address}>
            Run again in the playground
          </ButtonLink>
        )}
        {kind === 'batch' && isWhole && <RunBatchAgain request={request} />}
      </div>
    </>
  );
}

/** The playground has no form for batches. */
function RunBatchAgain({ request }: { request: Record<string, unknown> }) {
  const { route } = useLocation();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    await perform(async () => {
      const { id } = await call('batchScrape', { body: request as SentBody<'batchScrape'> });
      route(`/console/jobs/batch/${id}`);
      return 'The batch runs again, as a new job.';
    });
    setBusy(false);
  };
  return (
    <Button icon="play" busy={busy} onClick={start}>
      Run again
    </Button>
  );
}
