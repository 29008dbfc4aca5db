// What surrounds a control: label, the name in the interface, help, error, and a way back to the default.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../../ui/controls/button.tsx';
import { Field as LabelledField } from '../../../ui/controls/field.tsx';
import type { Field } from '../field.ts';
import { defaultText } from './default-text.ts';
import { HelpText } from './help-text.tsx';

interface Props {
  field: Field;
  error: string | undefined;
  children: ComponentChildren;
}

export const OptionLabel = ({ field: { label, name, isRequired } }: { field: Field }) => (
  <>
    {label}
    {isRequired && <span class="option-required"> (required)</span>}
    {label.toLowerCase() !== name.toLowerCase() && (
      <code class="option-name" aria-hidden="true">
        {name}
      </code>
    )}
  </>
);

export function OptionHelp({ field }: { field: Field }) {
  const standard = defaultText(field);
  if (field.help === '' && standard === undefined) return null;
  return (
    <>
      <HelpText text={field.help} />
      {standard !== undefined && !/default/i.test(field.help) && <span class="faint"> Default: {standard}.</span>}
    </>
  );
}

/** For a single control. */
export const SingleFrame = ({ field, error, children }: Props) => (
  <LabelledField
    label={<OptionLabel field={field} />}
    help={field.help === '' && defaultText(field) === undefined ? undefined : <OptionHelp field={field} />}
    error={error}
  >
    {children}
  </LabelledField>
);

interface GroupProps extends Props {
  onReset?: () => void;
}

/** For several controls that belong together. */
export function GroupFrame({ field, error, children, onReset }: GroupProps) {
  const id = useId();
  return (
    <fieldset class="option-group" aria-describedby={`${id}-help`}>
      <legend>
        <OptionLabel field={field} />
      </legend>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      {children}
      <p id={`${id}-help`} class="field-help">
        <OptionHelp field={field} />
        {onReset && (
          <>
            {' '}
            <Button kind="quiet" isSmall onClick={onReset}>
              Back to the default
            </Button>
          </>
        )}
      </p>
    </fieldset>
  );
}
