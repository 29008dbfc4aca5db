// The section "Search domains": which of them searches of the team put first, higher, lower, or leave out.
import schema from 'contracts:schema/setDomainRanking';
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { mayManage } from '../session/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextArea } from '../ui/controls/field.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { helpOf } from './form/contract-help.ts';
import { entriesOf, textOf } from './form/entries.ts';
import { areAllShown, errorAt, fieldErrors } from './form/field-errors.ts';
import { useAction } from './form/use-action.ts';
import { NotAllowed, SectionHead } from './section-head.tsx';

type Lists = ResponseOf<'domainRanking'>['data']['team'];

const LABELS = { pin: 'First', raise: 'Higher', lower: 'Lower', block: 'Never' } as const;
type Action = keyof typeof LABELS;
const ACTIONS = Object.keys(LABELS) as Action[];

export function Domains() {
  const { data, error, reload } = useLoad(async (signal) => (await call('domainRanking', { signal })).data.team, []);
  if (error !== undefined) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={8} label="Loading the domains" />;
  return <DomainsForm lists={data} />;
}

function DomainsForm({ lists }: { lists: Lists }) {
  const [draft, setDraft] = useState(
    () => Object.fromEntries(ACTIONS.map((action) => [action, textOf(lists[action] ?? [])])) as Record<Action, string>,
  );
  const action = useAction();
  const errors = fieldErrors(action.error);
  const isLocked = !mayManage();
  const save = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await call('setDomainRanking', {
        body: Object.fromEntries(ACTIONS.map((each) => [each, entriesOf(draft[each])])),
      });
      toast('The domains are saved. They apply to searches from now on.');
    });
  };
  return (
    <form class="stack narrow" onSubmit={save}>
      <SectionHead>
        <p>
          What searches of your team do with results of certain domains, in the own index and with every provider. A
          domain stands for its subdomains as well.
        </p>
      </SectionHead>
      {isLocked && <NotAllowed who="manager" />}
      {ACTIONS.map((each) => (
        <Field
          key={each}
          label={LABELS[each]}
          help={`${helpOf(schema, each)} One a line.`}
          error={errorAt(errors, each, entriesOf(draft[each]))}
        >
          <TextArea
            isCode
            rows={3}
            value={draft[each]}
            disabled={isLocked}
            onInput={(text) => setDraft({ ...draft, [each]: text })}
          />
        </Field>
      ))}
      {action.error !== undefined && !areAllShown(errors, ACTIONS) && <Problem error={action.error} />}
      {!isLocked && (
        <div>
          <Button kind="primary" type="submit" busy={action.isBusy}>
            Save domains
          </Button>
        </div>
      )}
    </form>
  );
}
