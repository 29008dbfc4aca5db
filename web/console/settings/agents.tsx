// The section "Agents", for the operator: agents that got a key by themselves and wait for approval.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { problemText } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isOperator } from '../session/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { confirm, Dialog } from '../ui/controls/dialog.tsx';
import { Field, TextInput } from '../ui/controls/field.tsx';
import { Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { areAllShown, fieldErrors } from './form/field-errors.ts';
import { useAction } from './form/use-action.ts';
import { emptyDraft, limitsOf } from './keys/key-draft.ts';
import { KEY_FIELDS, KeyForm } from './keys/key-form.tsx';
import { NotAllowed, SectionHead } from './section-head.tsx';

type Claim = ResponseOf<'listClaims'>['data'][number];

export function Agents() {
  return isOperator() ? <ClaimList /> : <NotAllowed who="operator" />;
}

function ClaimList() {
  const { data, error, reload } = useLoad(async (signal) => (await call('listClaims', { signal })).data, []);
  const [approving, setApproving] = useState<Claim>();
  const deny = async (claim: Claim) => {
    const isSure = await confirm({
      title: `Deny ${agentName(claim)}?`,
      text: 'Its key stops working at once, and it is forgotten. It can register again.',
      action: 'Deny and revoke',
    });
    if (!isSure) return;
    try {
      await call('denyClaim', { params: { id: claim.id } });
      toast('The key of the agent is revoked.');
      reload();
    } catch (problem) {
      toast(problemText(problem), 'bad');
    }
  };
  return (
    <div class="stack">
      <SectionHead>
        <p>
          An agent that nobody vouches for can get a small key by itself, if the server runs with
          TRAWL_AGENT_ANONYMOUS=limited. It may scrape, search and map, 10 requests a minute, until its key expires.
          Approve it to lift these limits.
        </p>
      </SectionHead>
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : data ? (
        <Claims claims={data} onApprove={setApproving} onDeny={(claim) => void deny(claim)} />
      ) : (
        <Skeleton lines={5} label="Loading agents" />
      )}
      {approving && (
        <Approve
          claim={approving}
          onClose={() => setApproving(undefined)}
          onDone={() => {
            setApproving(undefined);
            toast('Approved. The key of the agent stays the same.');
            reload();
          }}
        />
      )}
    </div>
  );
}

interface ClaimsProps {
  claims: readonly Claim[];
  onApprove: (claim: Claim) => void;
  onDeny: (claim: Claim) => void;
}

function Claims({ claims, onApprove, onDeny }: ClaimsProps): ComponentChildren {
  if (claims.length === 0) {
    return (
      <Empty title="No agent waits for approval">
        <p>
          Set TRAWL_AGENT_ANONYMOUS=limited to let agents register at <code>POST /agent/auth</code>. They find out how
          at{' '}
          <a href="/auth.md" target="_blank" rel="noopener noreferrer">
            /auth.md
          </a>
          , and appear here.
        </p>
      </Empty>
    );
  }
  return (
    <Table
      caption="Agents that wait for approval"
      rows={claims}
      rowKey={({ id }) => id}
      columns={[
        { id: 'key', title: 'Agent', cell: (claim) => <strong>{agentName(claim)}</strong> },
        {
          id: 'asked',
          title: 'Asks for',
          cell: ({ requestedAt }) =>
            requestedAt === null ? (
              <Status tone="idle">nothing yet</Status>
            ) : (
              <span>
                <Status tone="warn">approval</Status> <Time at={requestedAt} />
              </span>
            ),
        },
        {
          id: 'email',
          title: 'For (not verified)',
          cell: ({ email }) => <span>{email ?? 'not said'}</span>,
        },
        { id: 'team', title: 'Team', isMinor: true, cell: ({ team }) => team },
        { id: 'since', title: 'Registered', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { id: 'until', title: 'Key expires', isMinor: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        {
          id: 'actions',
          title: 'Actions',
          isTitleHidden: true,
          align: 'end',
          cell: (claim) => (
            <span class="row-actions">
              <Button
                isSmall
                kind="primary"
                onClick={() => onApprove(claim)}
                aria-label={`Approve ${agentName(claim)}`}
              >
                Approve
              </Button>
              <Button isSmall kind="danger" onClick={() => onDeny(claim)} aria-label={`Deny ${agentName(claim)}`}>
                Deny
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}

const agentName = ({ key }: Claim): string => `${key}…`;

function Approve({ claim, onClose, onDone }: { claim: Claim; onClose: () => void; onDone: () => void }) {
  const [draft, setDraft] = useState(emptyDraft);
  const [plan, setPlan] = useState('');
  const action = useAction();
  const errors = fieldErrors(action.error);
  const approve = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const body = {
        limits: limitsOf(draft),
        ...(plan.trim() !== '' && { plan: plan.trim() }),
        ...(draft.expiry === 'days' && { expiresInDays: draft.days }),
      };
      await call('approveClaim', { params: { id: claim.id }, body });
      onDone();
    });
  };
  return (
    <Dialog
      isWide
      title={`Approve ${agentName(claim)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={action.isBusy} onClick={approve}>
            Approve
          </Button>
        </>
      }
    >
      <form class="stack" onSubmit={approve}>
        <p>
          {claim.email === null
            ? 'The agent did not say whom it works for.'
            : `The agent says that it works for ${claim.email}. Nobody has verified that.`}{' '}
          Its key stays the same, with the limits that you choose here.
        </p>
        <KeyForm draft={draft} onChange={setDraft} errors={errors} isNew hasLabel={false} />
        <Field label="Plan of its team" help="Empty: the plan of teams without one." error={errors.plan}>
          <TextInput value={plan} onInput={setPlan} />
        </Field>
        {action.error !== undefined && !areAllShown(errors, [...KEY_FIELDS, 'plan']) && (
          <Problem error={action.error} />
        )}
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </form>
    </Dialog>
  );
}
