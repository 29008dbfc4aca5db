// Controls for typed things: formats as chips with options below, actions as an ordered list of steps.
import { Button } from '../../../ui/controls/button.tsx';
import type { PicksField, StepsField, Typed } from '../field.ts';
import { errorsAt, type FieldError, ownError } from '../field-errors.ts';
import {
  blankOf,
  entryOf,
  moved,
  optionsOf,
  type TypedEntry,
  typeOf,
  withEntry,
  withOptions,
  withoutEntry,
} from '../values.ts';
import { Members } from './compound-controls.tsx';
import type { ControlProps } from './control.tsx';
import { GroupFrame } from './option-frame.tsx';

const typedOf = (types: readonly Typed[], entry: TypedEntry): Typed | undefined =>
  types.find(({ type }) => type === typeOf(entry));

/** What a type begins with: its required options, empty. */
const beginning = (typed: Typed): TypedEntry =>
  entryOf(
    typed,
    Object.fromEntries(
      typed.fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, blankOf(field)]),
    ),
  );

interface OptionsProps {
  typed: Typed;
  entry: TypedEntry;
  onChange: (entry: TypedEntry) => void;
  errors: readonly FieldError[];
}

const TypedOptions = ({ typed, entry, onChange, errors }: OptionsProps) => (
  <Members
    fields={typed.fields}
    value={optionsOf(entry)}
    onChange={(options) => onChange(withOptions(entry, typed, options))}
    errors={errors}
    filter=""
  />
);

export function PicksControl({ field, value, onChange, errors }: ControlProps<PicksField>) {
  const entries = (value ?? field.default ?? []) as readonly TypedEntry[];
  const isChosen = ({ type }: Typed) => entries.some((entry) => typeOf(entry) === type);
  const toggle = (typed: Typed) =>
    onChange(
      isChosen(typed) ? entries.filter((entry) => typeOf(entry) !== typed.type) : [...entries, beginning(typed)],
    );
  return (
    <GroupFrame field={field} error={ownError(errors)}>
      <div class="chips">
        {field.types.map((typed) => (
          <button
            key={typed.type}
            type="button"
            class="chip"
            aria-pressed={isChosen(typed) ? 'true' : 'false'}
            onClick={() => toggle(typed)}
          >
            {typed.label}
          </button>
        ))}
      </div>
      {entries.map((entry, index) => {
        const typed = typedOf(field.types, entry);
        if (!typed || typed.fields.length === 0) return null;
        const mustBeSet = typed.fields.some(({ isRequired }) => isRequired);
        const own = errorsAt(errors, index);
        return (
          <details
            key={`${typed.type} ${index}`}
            class="option-card"
            open={mustBeSet || typeOf(entry) !== entry || own.length > 0 || typed.type === 'json'}
          >
            <summary>Options of {typed.label}</summary>
            <div class="option-fields">
              {ownError(own) !== undefined && <p class="field-error">{ownError(own)}</p>}
              <TypedOptions
                typed={typed}
                entry={entry}
                onChange={(next) => onChange(withEntry(entries, index, next))}
                errors={own}
              />
            </div>
          </details>
        );
      })}
    </GroupFrame>
  );
}

export function StepsControl({ field, value, onChange, errors }: ControlProps<StepsField>) {
  const entries = (value ?? []) as readonly TypedEntry[];
  const isFull = field.maxEntries !== undefined && entries.length >= field.maxEntries;
  return (
    <GroupFrame field={field} error={ownError(errors)}>
      {entries.length > 0 && (
        <ol class="option-steps">
          {entries.map((entry, index) => {
            const typed = typedOf(field.types, entry);
            if (!typed) return null;
            const name = `step ${index + 1}, ${typed.label}`;
            const own = errorsAt(errors, index);
            return (
              <li key={index} class="option-card">
                <div class="option-step-head">
                  <strong>
                    {index + 1}. {typed.label}
                  </strong>
                  <span class="row">
                    <Button
                      kind="quiet"
                      isSmall
                      label={`Move ${name} up`}
                      disabled={index === 0}
                      onClick={() => onChange(moved(entries, index, -1))}
                    >
                      ↑
                    </Button>
                    <Button
                      kind="quiet"
                      isSmall
                      label={`Move ${name} down`}
                      disabled={index === entries.length - 1}
                      onClick={() => onChange(moved(entries, index, 1))}
                    >
                      ↓
                    </Button>
                    <Button
                      kind="quiet"
                      isSmall
                      icon="trash"
                      label={`Remove ${name}`}
                      onClick={() => onChange(withoutEntry(entries, index))}
                    />
                  </span>
                </div>
                {ownError(own) !== undefined && <p class="field-error">{ownError(own)}</p>}
                <TypedOptions
                  typed={typed}
                  entry={entry}
                  onChange={(next) => onChange(withEntry(entries, index, next))}
                  errors={own}
                />
              </li>
            );
          })}
        </ol>
      )}
      <select
        class="input"
        aria-label={`Add to ${field.label}`}
        value=""
        disabled={isFull}
        onChange={({ currentTarget }) => {
          const typed = field.types.find(({ type }) => type === currentTarget.value);
          currentTarget.value = '';
          if (typed) onChange([...entries, beginning(typed)]);
        }}
      >
        <option value="">Add a step …</option>
        {field.types.map(({ type, label }) => (
          <option key={type} value={type}>
            {label}
          </option>
        ))}
      </select>
    </GroupFrame>
  );
}
