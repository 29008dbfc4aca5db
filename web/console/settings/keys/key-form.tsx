// The fields of a key: what it is for, what it may do, and how long it works.
import schema from 'contracts:schema/createKey';
import { Field, NumberInput, Select, TextArea, TextInput } from '../../ui/controls/field.tsx';
import { Checks } from '../form/checks.tsx';
import { helpOf } from '../form/contract-help.ts';
import { entriesOf } from '../form/entries.ts';
import { errorAt, type FieldErrors } from '../form/field-errors.ts';
import type { KeyDraft } from './key-draft.ts';
import { GROUP_WORDS } from './key-words.ts';

interface Props {
  draft: KeyDraft;
  onChange: (draft: KeyDraft) => void;
  errors: FieldErrors;
  /** When the key stops working now, if it exists. */
  expiryNow?: string;
  isNew: boolean;
  /** The label of a claimed key stays. */
  hasLabel?: boolean;
}

export const KEY_FIELDS = [
  ...['label', 'limits.operations', 'limits.formats', 'limits.domains', 'limits.networks'],
  ...['limits.requestsPerMinute', 'limits.monthlyCredits', 'expiresInDays', 'expiresAt'],
];

const GROUPS = Object.entries(GROUP_WORDS).map(([value, words]) => ({
  value: value as keyof typeof GROUP_WORDS,
  ...words,
}));
const FORMATS: readonly string[] =
  (schema.properties?.limits?.properties?.formats?.items as { enum?: string[] })?.enum ?? [];

export function KeyForm({ draft, onChange, errors, expiryNow, isNew, hasLabel = true }: Props) {
  const set = (change: Partial<KeyDraft>) => onChange({ ...draft, ...change });
  const limited = draft.formats.length + entriesOf(draft.domains).length + entriesOf(draft.networks).length;
  const hasMore = limited > 0 || draft.requestsPerMinute !== undefined || draft.monthlyCredits !== undefined;
  return (
    <div class="stack">
      {hasLabel && (
        <Field
          label="Label"
          help={`${helpOf(schema, 'label')} For example: newsletter on server 3.`}
          error={errors.label}
        >
          <TextInput value={draft.label} maxLength={100} onInput={(label) => set({ label })} autoFocus />
        </Field>
      )}
      <Checks
        legend="What it may do"
        help="Choose nothing to allow everything, managing keys and teams included. A key with any limit cannot manage."
        error={errorAt(errors, 'limits.operations')}
        options={GROUPS}
        chosen={draft.operations}
        onChange={(operations) => set({ operations })}
      />
      <div class="form-row">
        <Field label="Expiry" help={expiryNow === undefined ? helpOf(schema, 'expiresAt') : expiryNow}>
          <Select
            value={draft.expiry}
            options={[
              ...(isNew ? [] : [{ value: 'keep' as const, label: 'Stays as it is' }]),
              { value: 'never', label: 'It does not expire' },
              { value: 'days', label: 'It expires in …' },
            ]}
            onInput={(expiry) => set({ expiry })}
          />
        </Field>
        {draft.expiry === 'days' && (
          <Field label="Days" error={errorAt(errors, 'expiresInDays')}>
            <NumberInput value={draft.days} min={1} max={3_650} onInput={(days) => set({ days })} />
          </Field>
        )}
      </div>
      <details class="more" open={hasMore}>
        <summary>More limits: formats, domains, networks, rate, budget</summary>
        <div class="stack">
          <div class="form-row">
            <Field
              label="Requests a minute"
              help={helpOf(schema, 'limits.requestsPerMinute')}
              error={errorAt(errors, 'limits.requestsPerMinute')}
            >
              <NumberInput
                value={draft.requestsPerMinute}
                min={1}
                placeholder="no limit"
                onInput={(requestsPerMinute) => set({ requestsPerMinute })}
              />
            </Field>
            <Field
              label="Credits a month"
              help="A page costs one credit. With 0, the key can spend nothing."
              error={errorAt(errors, 'limits.monthlyCredits')}
            >
              <NumberInput
                value={draft.monthlyCredits}
                min={0}
                placeholder="no limit"
                onInput={(monthlyCredits) => set({ monthlyCredits })}
              />
            </Field>
          </div>
          <Field
            label="Domains"
            help={`${helpOf(schema, 'limits.domains')} One a line. Empty: all.`}
            error={errorAt(errors, 'limits.domains', entriesOf(draft.domains))}
          >
            <TextArea isCode rows={3} value={draft.domains} onInput={(domains) => set({ domains })} />
          </Field>
          <Field
            label="Networks"
            help={`${helpOf(schema, 'limits.networks')} One a line, such as 10.0.0.0/8. Empty: from everywhere.`}
            error={errorAt(errors, 'limits.networks', entriesOf(draft.networks))}
          >
            <TextArea isCode rows={3} value={draft.networks} onInput={(networks) => set({ networks })} />
          </Field>
          <Checks
            legend="Formats"
            help={`${helpOf(schema, 'limits.formats')} Choose nothing to allow all.`}
            error={errorAt(errors, 'limits.formats')}
            options={FORMATS.map((value) => ({ value, label: value }))}
            chosen={draft.formats}
            onChange={(formats) => set({ formats })}
          />
        </div>
      </details>
    </div>
  );
}
