// The control of a field, by its kind. A value that the control could not show as it is is edited as JSON.
import type { Field } from '../field.ts';
import { matchesItself } from '../filter.ts';
import { fits } from '../values.ts';
import { ChipsControl, EntriesControl, MapControl, ObjectControl, UnionControl } from './compound-controls.tsx';
import type { ControlProps } from './control.tsx';
import {
  BooleanControl,
  ChoiceControl,
  JsonControl,
  LinesControl,
  NumberControl,
  TextControl,
} from './simple-controls.tsx';
import { PicksControl, StepsControl } from './typed-controls.tsx';

export function AnyControl(props: ControlProps) {
  const { field, value, filter } = props;
  const Control = value !== undefined && !fits(field, value) ? JsonControl : controlOf(field);
  // An option that was looked for by its own words is shown whole. Objects open themselves by the filter.
  const isWhole = field.kind !== 'object' && matchesItself(field, filter);
  return <Control {...props} filter={isWhole ? '' : filter} />;
}

type Control = (props: ControlProps<never>) => preact.JSX.Element | null;

function controlOf(field: Field): (props: ControlProps) => preact.JSX.Element | null {
  const control: Control = {
    text: TextControl,
    number: NumberControl,
    boolean: BooleanControl as Control,
    choice: ChoiceControl,
    list: listControl(field),
    object: ObjectControl,
    map: MapControl,
    union: UnionControl,
    picks: PicksControl,
    steps: StepsControl,
    json: JsonControl as Control,
  }[field.kind];
  return control as (props: ControlProps) => preact.JSX.Element | null;
}

function listControl(field: Field): Control {
  if (field.kind !== 'list') return JsonControl as Control;
  if (field.entry.kind === 'text') return LinesControl;
  return field.entry.kind === 'choice' ? ChipsControl : EntriesControl;
}
