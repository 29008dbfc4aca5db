// Controls for values that contain others: objects, lists, names with values, and values of several shapes.
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/field.tsx';
import type { ChoiceField, Field, ListField, MapField, ObjectField, UnionField } from '../field.ts';
import { errorsAt, type FieldError, ownError } from '../field-errors.ts';
import { matches, matchesItself } from '../filter.ts';
import { blankOf, isObject, isSame, settled, variantOf, withEntry, withMember, withoutEntry } from '../values.ts';
import { type ControlProps, FieldControl } from './control.tsx';
import { GroupFrame, SingleFrame } from './option-frame.tsx';

type JsonObject = Readonly<Record<string, unknown>>;

interface MembersProps {
  fields: readonly Field[];
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  errors: readonly FieldError[];
  filter: string;
}

/** The fields of an object, without a frame of their own. */
export const Members = ({ fields, value, onChange, errors, filter }: MembersProps) => (
  <>
    {fields
      .filter((field) => matches(field, filter))
      .map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(member) => onChange(withMember(value, field.name, settled(field, member)))}
          errors={errorsAt(errors, field.name)}
          filter={filter}
        />
      ))}
  </>
);

export function ObjectControl({ field, value, onChange, errors, filter }: ControlProps<ObjectField>) {
  const isShown = value !== undefined || errors.length > 0 || filter !== '';
  const [isOpen, setOpen] = useState(isShown || field.isRequired);
  const inner = matchesItself(field, filter) ? '' : filter;
  return (
    <details
      class="option-object"
      open={isOpen || filter !== '' || errors.length > 0}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="option-object-label">{field.label}</span>
        <code class="option-name" aria-hidden="true">
          {field.name}
        </code>
        {value !== undefined && <span class="option-set">set</span>}
      </summary>
      <div class="option-fields">
        <GroupFrame
          field={{ ...field, label: `Options of ${field.label}`, name: '' }}
          error={ownError(errors)}
          onReset={value === undefined ? undefined : () => onChange(undefined)}
        >
          <Members
            fields={field.fields}
            value={isObject(value) ? value : {}}
            onChange={onChange}
            errors={errors}
            filter={inner}
          />
        </GroupFrame>
      </div>
    </details>
  );
}

/** Words to choose from, each once. */
export function ChipsControl({ field, value, onChange, errors }: ControlProps<ListField>) {
  const { options } = field.entry as ChoiceField;
  const chosen = (value ?? field.default ?? []) as readonly string[];
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]);
  return (
    <GroupFrame field={field} error={ownError(errors, true)}>
      <div class="chips">
        {options.map((option) => (
          <button
            key={option}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(option) ? 'true' : 'false'}
            onClick={() => toggle(option)}
          >
            {option}
          </button>
        ))}
      </div>
    </GroupFrame>
  );
}

/** Entries that are more than a text. */
export function EntriesControl({ field, value, onChange, errors, filter }: ControlProps<ListField>) {
  const entries = (value ?? []) as readonly unknown[];
  const isFull = field.maxEntries !== undefined && entries.length >= field.maxEntries;
  return (
    <GroupFrame field={field} error={ownError(errors)}>
      {entries.map((entry, index) => (
        <div key={index} class="option-card">
          {field.entry.kind === 'object' ? (
            <Members
              fields={field.entry.fields}
              value={entry as JsonObject}
              onChange={(next) => onChange(withEntry(entries, index, next))}
              errors={errorsAt(errors, index)}
              filter={filter}
            />
          ) : (
            <FieldControl
              field={{ ...field.entry, label: `${field.label} ${index + 1}` }}
              value={entry}
              onChange={(next) => onChange(withEntry(entries, index, next))}
              errors={errorsAt(errors, index)}
              filter={filter}
            />
          )}
          <Button kind="quiet" isSmall icon="trash" onClick={() => onChange(withoutEntry(entries, index))}>
            Remove entry {index + 1}
          </Button>
        </div>
      ))}
      <div>
        <Button
          isSmall
          icon="plus"
          disabled={isFull}
          onClick={() => onChange([...entries, blankOf(field.entry)])}
          aria-label={`Add an entry to ${field.label}`}
        >
          Add an entry
        </Button>
      </div>
    </GroupFrame>
  );
}

interface Row {
  name: string;
  value: unknown;
}

const toRows = (object: unknown): Row[] =>
  isObject(object) ? Object.entries(object).map(([name, value]) => ({ name, value })) : [];
/** A row without a name is not finished yet. */
const fromRows = (rows: readonly Row[]): JsonObject | undefined => {
  const named = rows.filter(({ name }) => name !== '');
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, value }) => [name, value]));
};

export function MapControl({ field, value, onChange, errors }: ControlProps<MapField>) {
  const [draft, setDraft] = useState(() => toRows(value));
  const rows = isSame(fromRows(draft), value) ? draft : toRows(value);
  const write = (next: readonly Row[]) => {
    setDraft([...next]);
    onChange(fromRows(next));
  };
  return (
    <GroupFrame field={field} error={ownError(errors, true)}>
      {rows.map((row, index) => (
        <div key={index} class="option-pair">
          <input
            class="input input-code"
            aria-label={`Name ${index + 1} of ${field.label}`}
            placeholder="Name"
            autoComplete="off"
            value={row.name}
            onInput={({ currentTarget }) => write(withEntry(rows, index, { ...row, name: currentTarget.value }))}
          />
          <input
            class="input input-code"
            aria-label={`Value ${index + 1} of ${field.label}`}
            placeholder="Value"
            autoComplete="off"
            value={String(row.value)}
            onInput={({ currentTarget }) => write(withEntry(rows, index, { ...row, value: currentTarget.value }))}
          />
          <Button
            kind="quiet"
            isSmall
            icon="trash"
            label={`Remove ${row.name || `row ${index + 1}`}`}
            onClick={() => write(withoutEntry(rows, index))}
          />
        </div>
      ))}
      <div>
        <Button
          isSmall
          icon="plus"
          onClick={() => write([...rows, { name: '', value: '' }])}
          aria-label={`Add a row to ${field.label}`}
        >
          Add
        </Button>
      </div>
    </GroupFrame>
  );
}

const VARIANT_LABELS: Partial<Record<Field['kind'], string>> = {
  text: 'A text',
  object: 'With options',
  number: 'A number',
  json: 'As JSON',
};

interface Variant {
  value: string;
  label: string;
  begin: unknown;
}

function variantsOf({ variants, label }: UnionField): Variant[] {
  return variants.flatMap((variant, index): Variant[] => {
    if (variant.kind === 'boolean') {
      return [
        { value: `${index}-true`, label: 'Yes', begin: true },
        { value: `${index}-false`, label: 'No', begin: false },
      ];
    }
    return [{ value: `${index}`, label: VARIANT_LABELS[variant.kind] ?? label, begin: blankOf(variant) }];
  });
}

export function UnionControl({ field, value, onChange, errors, filter }: ControlProps<UnionField>) {
  const at = value === undefined ? -1 : variantOf(field.variants, value);
  const variant = field.variants[at];
  const chosen = typeof value === 'boolean' ? `${at}-${value}` : `${at}`;
  const standard =
    field.default === undefined ? 'Not set' : `Default (${field.default === false ? 'no' : field.default})`;
  const options = [{ value: '-1', label: standard }, ...variantsOf(field)];
  const choose = (id: string) => onChange(variantsOf(field).find((each) => each.value === id)?.begin);
  const hasMore = variant !== undefined && variant.kind !== 'boolean';
  return (
    <div class="stack-tight">
      <SingleFrame field={field} error={hasMore ? undefined : ownError(errors, true)}>
        <Select value={chosen} options={options} onInput={choose} />
      </SingleFrame>
      {hasMore && (
        <div class="option-card">
          {variant.kind === 'object' ? (
            <Members
              fields={variant.fields}
              value={isObject(value) ? value : {}}
              onChange={onChange}
              errors={errors}
              filter={filter}
            />
          ) : (
            <FieldControl field={variant} value={value} onChange={onChange} errors={errors} filter={filter} />
          )}
        </div>
      )}
    </div>
  );
}
