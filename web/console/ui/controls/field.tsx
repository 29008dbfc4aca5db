// A labelled control with its help text and its error, connected for screen readers.
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';

interface FieldProps {
  label: ComponentChildren;
  help?: ComponentChildren;
  error?: string;
  /** The label is read out, but not shown. */
  isLabelHidden?: boolean;
  children: ComponentChildren;
}

interface FieldIds {
  id: string;
  describedBy?: string;
  isInvalid: boolean;
}

const FieldContext = createContext<FieldIds | undefined>(undefined);

export function Field({ label, help, error, isLabelHidden, children }: FieldProps) {
  const id = useId();
  const describedBy = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label class={isLabelHidden ? 'visually-hidden' : 'field-label'} for={id}>
        {label}
      </label>
      <FieldContext.Provider value={{ id, describedBy: describedBy || undefined, isInvalid: error !== undefined }}>
        {children}
      </FieldContext.Provider>
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
    </div>
  );
}

/** What connects a control to the field around it; for controls of your own. */
function useFieldAttributes() {
  const field = useContext(FieldContext);
  return {
    id: field?.id,
    'aria-describedby': field?.describedBy,
    'aria-invalid': field?.isInvalid ? ('true' as const) : undefined,
  };
}

interface TextProps {
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  type?: 'text' | 'url' | 'search' | 'password' | 'date' | 'email';
  isLarge?: boolean;
  isCode?: boolean;
  maxLength?: number;
  disabled?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  list?: string;
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLInputElement>) => void;
}

export function TextInput({
  value,
  onInput,
  type = 'text',
  isLarge,
  isCode,
  autoComplete = 'off',
  ...rest
}: TextProps) {
  return (
    <input
      {...useFieldAttributes()}
      {...rest}
      // The types of the platform allow each attribute only with certain types of inputs.
      type={type as 'text'}
      class={`input${isLarge ? ' input-large' : ''}${isCode ? ' input-code' : ''}`}
      autoComplete={autoComplete}
      spellcheck={false}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

interface NumberProps {
  /** Undefined: empty. */
  value: number | undefined;
  onInput: (value: number | undefined) => void;
  min?: number;
  max?: number;
  step?: number | 'any';
  placeholder?: string;
  disabled?: boolean;
}

export function NumberInput({ value, onInput, ...rest }: NumberProps) {
  return (
    <input
      {...useFieldAttributes()}
      {...rest}
      type="number"
      class="input"
      value={value ?? ''}
      onInput={({ currentTarget }) => onInput(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
    />
  );
}

interface AreaProps {
  value: string;
  onInput: (value: string) => void;
  rows?: number;
  placeholder?: string;
  isCode?: boolean;
  maxLength?: number;
  disabled?: boolean;
}

export function TextArea({ value, onInput, isCode, ...rest }: AreaProps) {
  return (
    <textarea
      {...useFieldAttributes()}
      {...rest}
      class={`input${isCode ? ' input-code' : ''}`}
      spellcheck={!isCode}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

interface SelectProps<T extends string> {
  value: T;
  options: readonly (T | { value: T; label: string })[];
  onInput: (value: T) => void;
  disabled?: boolean;
}

export function Select<T extends string>({ value, options, onInput, disabled }: SelectProps<T>) {
  return (
    <select
      {...useFieldAttributes()}
      class="input"
      value={value}
      disabled={disabled}
      onChange={(event) => onInput(event.currentTarget.value as T)}
    >
      {options.map((option) => {
        const { value: each, label } = typeof option === 'string' ? { value: option, label: option } : option;
        return (
          <option key={each} value={each}>
            {label}
          </option>
        );
      })}
    </select>
  );
}

interface ToggleProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
  children: ComponentChildren;
}

export function Toggle({ isOn, onChange, disabled, children }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
