// Controls for single values: texts, numbers, switches, choices, lines and JSON.
import { NumberInput, Select, TextArea, TextInput, Toggle } from '../../../ui/controls/field.tsx';
import type { ChoiceField, Field, JsonField, ListField, NumberField, TextField } from '../field.ts';
import { ownError } from '../field-errors.ts';
import { readJson, writeJson } from '../json-text.ts';
import { fromLines, isObject, toLines } from '../values.ts';
import type { ControlProps } from './control.tsx';
import { defaultText } from './default-text.ts';
import { useDraft } from './drafts.ts';
import { OptionHelp, OptionLabel, SingleFrame } from './option-frame.tsx';

const JSON_ROWS = 6;

export function TextControl({ field, value, onChange, errors }: ControlProps<TextField>) {
  const shared = {
    value: typeof value === 'string' ? value : '',
    onInput: onChange as (text: string) => void,
    placeholder: defaultText(field),
    maxLength: field.maxLength,
  };
  return (
    <SingleFrame field={field} error={ownError(errors, true)}>
      {field.isLong ? <TextArea {...shared} rows={3} /> : <TextInput {...shared} />}
    </SingleFrame>
  );
}

export function NumberControl({ field, value, onChange, errors }: ControlProps<NumberField>) {
  return (
    <SingleFrame field={field} error={ownError(errors, true)}>
      <NumberInput
        value={typeof value === 'number' ? value : undefined}
        onInput={(number) => onChange(Number.isNaN(number) ? undefined : number)}
        min={field.minimum}
        max={field.maximum}
        step={field.isInteger ? 1 : 'any'}
        placeholder={defaultText(field)}
      />
    </SingleFrame>
  );
}

const STATES = [
  { value: '', label: 'Not set' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const;

/** A switch that shows the default; three states where there is no default. */
export function BooleanControl({ field, value, onChange, errors }: ControlProps) {
  const error = ownError(errors, true);
  if (field.default === undefined && !field.isRequired) {
    return (
      <SingleFrame field={field} error={error}>
        <Select
          value={value === undefined ? '' : (String(value) as 'true' | 'false')}
          options={STATES}
          onInput={(state) => onChange(state === '' ? undefined : state === 'true')}
        />
      </SingleFrame>
    );
  }
  return (
    <div class="field">
      <Toggle isOn={(value ?? field.default) === true} onChange={onChange}>
        <OptionLabel field={field} />
      </Toggle>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <p class="field-help">
        <OptionHelp field={field} />
      </p>
    </div>
  );
}

export function ChoiceControl({ field, value, onChange, errors }: ControlProps<ChoiceField>) {
  const standard = defaultText(field);
  const unset = { value: '', label: standard === undefined ? 'Not set' : `Default (${standard})` };
  const options = field.options.filter((option) => option !== field.default || option === value);
  return (
    <SingleFrame field={field} error={ownError(errors, true)}>
      <Select
        value={typeof value === 'string' ? value : ''}
        options={field.isRequired ? field.options : [unset, ...options]}
        onInput={(option) => onChange(option === '' ? undefined : option)}
      />
    </SingleFrame>
  );
}

/** A list of texts, one a line. */
export function LinesControl({ field, value, onChange, errors }: ControlProps<ListField>) {
  const { text, write } = useDraft(
    value as string[] | undefined,
    toLines,
    (typed) => ({ value: typed.trim() === '' ? undefined : fromLines(typed) }),
    onChange,
  );
  const { name, help } = field;
  const lined = { ...field, help: `${help}${help === '' ? '' : ' '}One per line.` };
  return (
    <SingleFrame field={lined} error={ownError(errors, true)}>
      <TextArea value={text} onInput={write} rows={2} isCode={/url|path|tag|domain|selector/i.test(name)} />
    </SingleFrame>
  );
}

/** Any JSON; also for a value that no other control can show. */
export function JsonControl({ field, value, onChange, errors }: ControlProps) {
  const mustBeObject = (field as JsonField).kind === 'json' && (field as JsonField).isObject;
  const { text, problem, write } = useDraft(
    value,
    writeJson,
    (typed) => {
      if (typed.trim() === '') return { value: undefined };
      const read = readJson(typed);
      if ('value' in read && mustBeObject && !isObject(read.value)) {
        return { problem: 'This must be a JSON object: begin with { and end with }.' };
      }
      return read;
    },
    onChange,
  );
  return (
    <SingleFrame field={field as Field} error={problem ?? ownError(errors, true)}>
      <TextArea value={text} onInput={write} rows={JSON_ROWS} isCode placeholder={mustBeObject ? '{ }' : undefined} />
    </SingleFrame>
  );
}
