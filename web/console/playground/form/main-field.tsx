// The field on top: one URL, several, or a text in plain words.
import { Field as LabelledField, TextArea, TextInput } from '../../ui/controls/field.tsx';
import type { OperationInfo } from '../operations/operations.ts';
import { FieldControl } from './controls/control.tsx';
import { HelpText } from './controls/help-text.tsx';
import type { Field } from './field.ts';
import { type FieldError, ownError } from './field-errors.ts';

interface Props {
  info: OperationInfo;
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  errors: readonly FieldError[];
}

export function MainField({ info, field, value, onChange, errors }: Props) {
  if (field.kind !== 'text')
    return <FieldControl field={field} value={value} onChange={onChange} errors={errors} filter="" />;
  const text = typeof value === 'string' ? value : '';
  return (
    <LabelledField
      label={field.label}
      error={ownError(errors, true)}
      help={field.isLong ? <HelpText text={field.help} /> : undefined}
    >
      {field.isLong ? (
        <TextArea value={text} onInput={onChange} placeholder={info.placeholder} rows={3} maxLength={field.maxLength} />
      ) : (
        <TextInput
          value={text}
          onInput={onChange}
          placeholder={info.placeholder}
          isLarge
          autoFocus
          maxLength={field.maxLength}
        />
      )}
    </LabelledField>
  );
}
