// The section "Threat protection": the policy of the team about unsafe addresses.
import schema from 'contracts:schema/setThreatPolicy';
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { mayManage } from '../session/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, NumberInput, Select, TextArea, Toggle } from '../ui/controls/field.tsx';
import { Time } from '../ui/data/time.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { helpOf } from './form/contract-help.ts';
import { entriesOf, textOf } from './form/entries.ts';
import { areAllShown, errorAt, fieldErrors } from './form/field-errors.ts';
import { useAction } from './form/use-action.ts';
import { NotAllowed, SectionHead } from './section-head.tsx';

type Policy = ResponseOf<'threatPolicy'>['data'];

interface Draft {
  mode: Policy['mode'];
  /** An entry a line. */
  blacklist: string;
  whitelist: string;
  blockedTlds: string;
  riskScoreThreshold: number | undefined;
  failurePolicy: 'open' | 'closed';
  allowRequestOverrides: boolean;
}

const MODES: readonly { value: Policy['mode']; label: string }[] = [
  { value: 'off', label: 'Off: nothing is checked' },
  { value: 'manual-only', label: 'Lists (manual-only): only the lists below decide' },
  { value: 'normal', label: 'Lists and risk services (normal)' },
];
const FIELDS = ['mode', 'blacklist', 'whitelist', 'blockedTlds', 'riskScoreThreshold', 'failurePolicy'];

export function Threats() {
  const { data, error, reload } = useLoad(async (signal) => (await call('threatPolicy', { signal })).data, []);
  if (error instanceof ApiError && error.code === 'FEATURE_NOT_ENABLED') return <NotEnabled />;
  if (error !== undefined) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={10} label="Loading the threat policy" />;
  return <PolicyForm key={data.updatedAt ?? 'new'} policy={data} onSaved={reload} />;
}

const NotEnabled = () => (
  <div class="notice">
    <p class="notice-title">Threat protection is not enabled for your team.</p>
    <p>
      It decides which addresses may be fetched: by lists of your own, and by risk services. The operator enables it for
      one team under Teams, or for all with <code>TRAWL_TEAM_FEATURES=threat-protection</code>.
    </p>
    <p>
      <a href="/console/manual/operate/threat-protection.md">Read more in the manual</a>
    </p>
  </div>
);

function PolicyForm({ policy, onSaved }: { policy: Policy; onSaved: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => ({
    mode: policy.mode,
    blacklist: textOf(policy.blacklist),
    whitelist: textOf(policy.whitelist),
    blockedTlds: textOf(policy.blockedTlds),
    riskScoreThreshold: policy.riskScoreThreshold,
    failurePolicy: policy.failurePolicy ?? ('closed' as const),
    allowRequestOverrides: policy.allowRequestOverrides ?? true,
  }));
  const action = useAction();
  const errors = fieldErrors(action.error);
  const isLocked = !mayManage();
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const save = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const [blacklist, whitelist] = [entriesOf(draft.blacklist), entriesOf(draft.whitelist)];
      const blockedTlds = entriesOf(draft.blockedTlds).map((tld) => tld.replace(/^\./, '').toLowerCase());
      await call('setThreatPolicy', { body: { ...draft, blacklist, whitelist, blockedTlds } });
      toast('The threat policy is saved. It applies to requests from now on.');
      onSaved();
    });
  };
  const list = (name: 'blacklist' | 'whitelist' | 'blockedTlds', label: string) => (
    <Field
      label={label}
      help={`${helpOf(schema, name)} One a line.`}
      error={errorAt(errors, name, entriesOf(draft[name]))}
    >
      <TextArea isCode rows={4} value={draft[name]} disabled={isLocked} onInput={(text) => set({ [name]: text })} />
    </Field>
  );
  return (
    <form class="stack narrow" onSubmit={save}>
      <SectionHead>
        <p>
          Which addresses your team may fetch. The policy applies to everything: scrapes, crawls, searches, browsers,
          agents and webhooks.{' '}
          {policy.configured ? (
            <>
              Saved <Time at={policy.updatedAt} />.
            </>
          ) : (
            'Nothing is saved yet, so nothing is checked.'
          )}
        </p>
      </SectionHead>
      {isLocked && <NotAllowed who="manager" />}
      <Field label="Mode" help={helpOf(schema, 'mode')} error={errors.mode}>
        <Select value={draft.mode} options={MODES} disabled={isLocked} onInput={(mode) => set({ mode })} />
      </Field>
      {list('blacklist', 'Blocked domains')}
      {list('whitelist', 'Allowed domains')}
      {list('blockedTlds', 'Blocked top-level domains')}
      {draft.mode === 'normal' && (
        <div class="form-row">
          <Field
            label="Risk threshold"
            help={helpOf(schema, 'riskScoreThreshold')}
            error={errorAt(errors, 'riskScoreThreshold')}
          >
            <NumberInput
              value={draft.riskScoreThreshold}
              min={0}
              max={100}
              disabled={isLocked}
              onInput={(riskScoreThreshold) => set({ riskScoreThreshold })}
            />
          </Field>
          <Field label="If no service answers" help={helpOf(schema, 'failurePolicy')}>
            <Select<'closed' | 'open'>
              value={draft.failurePolicy}
              options={[
                { value: 'closed', label: 'Block the address' },
                { value: 'open', label: 'Allow the address' },
              ]}
              disabled={isLocked}
              onInput={(failurePolicy) => set({ failurePolicy })}
            />
          </Field>
        </div>
      )}
      <Toggle
        isOn={draft.allowRequestOverrides}
        disabled={isLocked}
        onChange={(allowRequestOverrides) => set({ allowRequestOverrides })}
      >
        Requests may have rules of their own (<code>threatProtection</code>). If not, those that have some are refused.
      </Toggle>
      {action.error !== undefined && !areAllShown(errors, FIELDS) && <Problem error={action.error} />}
      {!isLocked && (
        <div>
          <Button kind="primary" type="submit" busy={action.isBusy}>
            Save policy
          </Button>
        </div>
      )}
    </form>
  );
}
