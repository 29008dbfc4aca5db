// What every control of the form is given.
import type { ComponentType } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Field } from '../field.ts';
import type { FieldError } from '../field-errors.ts';

export interface ControlProps<F extends Field = Field> {
  field: F;
  /** Undefined: not set. */
  value: unknown;
  /** With undefined, it is not set any more. */
  onChange: (value: unknown) => void;
  errors: readonly FieldError[];
  /** Only fields that match are shown. */
  filter: string;
}

/** The control for any field, which compound controls use for what is inside them. The form provides it. */
export const ControlContext = createContext<ComponentType<ControlProps>>(() => null);

export function FieldControl(props: ControlProps) {
  const Control = useContext(ControlContext);
  return <Control {...props} />;
}
