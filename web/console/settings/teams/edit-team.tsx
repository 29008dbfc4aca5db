// Makes a team or changes its settings.
import schema from 'contracts:schema/createTeam';
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Field, NumberInput, Select, TextArea, TextInput } from '../../ui/controls/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { helpOf } from '../form/contract-help.ts';
import { entriesOf } from '../form/entries.ts';
import { areAllShown, errorAt, type FieldErrors, fieldErrors } from '../form/field-errors.ts';
import { useAction } from '../form/use-action.ts';
import {
  changeTeamBody,
  createTeamBody,
  GRANTED,
  type GrantChoice,
  LIMITS,
  type LimitDraft,
  type Team,
  type TeamDraft,
  teamDraft,
  teamDraftErrors,
} from './team-draft.ts';

const LIMIT_LABELS = {
  monthlyCredits: 'Credits a month',
  maxConcurrency: 'Pages at the same time',
  maxQueued: 'Requests that wait',
} as const;
const GRANT_LABELS = {
  zeroDataRetention: 'Zero data retention',
  anonymous: 'Anonymous search',
  threatProtection: 'Threat protection',
} as const;
const FIELDS = ['name', 'plan', 'networks', ...LIMITS, ...GRANTED];

interface Props {
  /** Absent: a new one. */
  of?: Team;
  onClose: () => void;
  onDone: (team: Team) => void;
}

export function EditTeam({ of, onClose, onDone }: Props) {
  const [draft, setDraft] = useState(() => teamDraft(of));
  const [own, setOwn] = useState<FieldErrors>({});
  const action = useAction();
  const errors = { ...fieldErrors(action.error), ...own };
  const set = (change: Partial<TeamDraft>) => setDraft({ ...draft, ...change });
  const submit = (event: Event) => {
    event.preventDefault();
    const found = teamDraftErrors(draft);
    setOwn(found);
    if (Object.keys(found).length > 0) return;
    void action.run(async () => {
      const { data } = of
        ? await call('changeTeam', { params: { id: of.id }, body: changeTeamBody(of.settings, draft) })
        : await call('createTeam', { body: createTeamBody(draft) });
      onDone(data);
    });
  };
  return (
    <Dialog
      isWide
      title={of ? `Settings of ${of.name}` : 'New team'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={action.isBusy} onClick={submit}>
            {of ? 'Save' : 'Create team'}
          </Button>
        </>
      }
    >
      <form class="stack" onSubmit={submit}>
        {!of && (
          <Field label="Name" help={helpOf(schema, 'name')} error={errors.name}>
            <TextInput value={draft.name} maxLength={64} autoFocus onInput={(name) => set({ name })} />
          </Field>
        )}
        <Field
          label="Plan"
          help={`${helpOf(schema, 'plan')} Empty: the plan of teams without one.`}
          error={errors.plan}
        >
          <TextInput
            value={draft.plan}
            placeholder="such as free, hobby or standard"
            onInput={(plan) => set({ plan })}
          />
        </Field>
        {LIMITS.map((name) => (
          <LimitField
            key={name}
            label={LIMIT_LABELS[name]}
            help={helpOf(schema, name)}
            draft={draft[name]}
            error={errors[name]}
            onChange={(limit) => set({ [name]: limit })}
          />
        ))}
        {GRANTED.map((name) => (
          <Field key={name} label={GRANT_LABELS[name]} help={helpOf(schema, name)} error={errors[name]}>
            <Select<GrantChoice>
              value={draft[name]}
              options={[
                { value: 'default', label: 'As the service is set' },
                { value: 'absent', label: 'Not available' },
                { value: 'allowed', label: 'Allowed: requests may ask for it' },
                { value: 'forced', label: 'Forced: it applies to every request' },
              ]}
              onInput={(grant) => set({ [name]: grant })}
            />
          </Field>
        ))}
        <Field
          label="Networks"
          help={`${helpOf(schema, 'networks')} One a line. Empty: from everywhere.`}
          error={errorAt(errors, 'networks', entriesOf(draft.networks))}
        >
          <TextArea isCode rows={3} value={draft.networks} onInput={(networks) => set({ networks })} />
        </Field>
        {action.error !== undefined && !areAllShown(errors, FIELDS) && <Problem error={action.error} />}
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </form>
    </Dialog>
  );
}

interface LimitProps {
  label: string;
  help: string;
  draft: LimitDraft;
  error?: string;
  onChange: (draft: LimitDraft) => void;
}

function LimitField({ label, help, draft, error, onChange }: LimitProps) {
  return (
    <div class="form-row">
      <Field label={label} help={help} {...(draft.kind !== 'own' && { error })}>
        <Select
          value={draft.kind}
          options={[
            { value: 'plan', label: 'As the plan says' },
            { value: 'unlimited', label: 'Unlimited' },
            { value: 'own', label: 'A number' },
          ]}
          onInput={(kind) => onChange({ ...draft, kind })}
        />
      </Field>
      {draft.kind === 'own' && (
        <Field label={`${label}: number`} error={error}>
          <NumberInput value={draft.value} min={0} onInput={(value) => onChange({ kind: 'own', value })} />
        </Field>
      )}
    </div>
  );
}
