// One webhook call: what was sent, what the receiver answered, and sending it again.
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { bytes } from '../../ui/data/format.ts';
import { Time } from '../../ui/data/time.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { attemptInWords, bodyText, stateInWords } from './delivery-words.ts';

const MAX_SHOWN = 20_000;

interface Props {
  id: string;
  isBusy: boolean;
  onResend: () => void;
  onClose: () => void;
}

export function DeliveryDialog({ id, isBusy, onResend, onClose }: Props) {
  const { data, error, reload } = useLoad(
    async (signal) => (await call('getDelivery', { params: { id }, signal })).data,
    [id],
  );
  return (
    <Dialog
      isWide
      title="Webhook call"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {data?.canResend && (
            <Button kind="primary" icon="refresh" busy={isBusy} onClick={onResend}>
              {data.status === 'waiting' ? 'Send now' : 'Send again'}
            </Button>
          )}
        </>
      }
    >
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : data ? (
        <div class="stack">
          <dl class="facts">
            <dt>Event</dt>
            <dd>{data.event}</dd>
            <dt>State</dt>
            <dd>
              <Status tone={stateInWords(data).tone}>{stateInWords(data).text}</Status>
            </dd>
            <dt>Receiver</dt>
            <dd>{data.url ?? 'no longer known'}</dd>
            <dt>Headers</dt>
            <dd>{data.headerNames.join(', ') || 'none of your own'}</dd>
            <dt>Last attempt</dt>
            <dd>{attemptInWords(data)}</dd>
            <dt>Status code</dt>
            <dd>{data.statusCode ?? 'no answer'}</dd>
            <dt>Attempts</dt>
            <dd>
              {data.attempts}
              {data.triedAt !== null && (
                <>
                  , the last one <Time at={data.triedAt} />
                </>
              )}
            </dd>
            {data.nextAt !== null && (
              <>
                <dt>Next attempt</dt>
                <dd>
                  <Time at={data.nextAt} />
                </dd>
              </>
            )}
            <dt>Job</dt>
            <dd>
              <code>{data.jobId}</code>
            </dd>
            <dt>Webhook ID</dt>
            <dd>
              <code>{data.webhookId}</code>
            </dd>
          </dl>
          {data.body === null ? (
            <p class="soft">
              The content of this call is no longer stored: its job has expired, its page was retried, or it stores
              nothing. It cannot be sent again.
            </p>
          ) : (
            <CodeBlock
              label={`Body${data.size === null ? '' : `, ${bytes(data.size)}`}${isCut(data.body) ? ' (its beginning)' : ''}`}
              text={bodyText(data.body, data.bodyTruncated).slice(0, MAX_SHOWN)}
            />
          )}
        </div>
      ) : (
        <Skeleton lines={10} label="Loading the call" />
      )}
    </Dialog>
  );
}

const isCut = (body: string): boolean => body.length > MAX_SHOWN;
