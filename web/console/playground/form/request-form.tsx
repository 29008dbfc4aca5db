// The form of an operation: its main field, the options that are used most, and all others behind a button with a filter.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field as LabelledField, TextInput } from '../../ui/controls/field.tsx';
import { groupFields } from '../operations/groups.ts';
import type { OperationInfo } from '../operations/operations.ts';
import type { Body } from '../run/recent.ts';
import { AnyControl } from './controls/any-control.tsx';
import { ControlContext, FieldControl } from './controls/control.tsx';
import type { Field } from './field.ts';
import { errorsAt, type FieldError } from './field-errors.ts';
import { matches } from './filter.ts';
import { MainField } from './main-field.tsx';
import { isObject, settled, withMember } from './values.ts';

interface Props {
  info: OperationInfo;
  fields: readonly Field[];
  body: Body;
  onChange: (body: Body) => void;
  errors: readonly FieldError[];
  /** Stands below the main field: what runs the request is in sight before any option. */
  children: ComponentChildren;
}

export function RequestForm({ info, fields, body, onChange, errors, children }: Props) {
  const main = fields.find(({ name }) => name === info.main);
  const common = info.common.map((path) => placeOf(fields, path)).filter((place) => place !== undefined);
  const others = fields.filter((field) => field !== main && !common.some(({ path }) => path.join() === field.name));
  const change = (path: readonly string[], field: Field, value: unknown) =>
    onChange(withMemberAt(body, path, settled(field, value)));
  return (
    <ControlContext.Provider value={AnyControl}>
      {main && (
        <MainField
          info={info}
          field={main}
          value={body[main.name]}
          onChange={(value) => change([main.name], main, value)}
          errors={errorsAt(errors, main.name)}
        />
      )}
      {children}
      <div class="option-common">
        {common.map(({ field, path }) => (
          <FieldControl
            key={path.join('.')}
            field={field}
            value={valueAt(body, path)}
            onChange={(value) => change(path, field, value)}
            errors={path.reduce(errorsAt, errors)}
            filter=""
          />
        ))}
      </div>
      <MoreOptions
        fields={others}
        body={body}
        onChange={(field, value) => change([field.name], field, value)}
        errors={errors}
      />
    </ControlContext.Provider>
  );
}

interface Place {
  field: Field;
  path: readonly string[];
}

/** The field of a path such as `scrapeOptions.formats`. */
function placeOf(fields: readonly Field[], path: string): Place | undefined {
  const names = path.split('.');
  let inside = fields;
  let field: Field | undefined;
  for (const name of names) {
    field = inside.find((each) => each.name === name);
    inside = field?.kind === 'object' ? field.fields : [];
  }
  return field && { field, path: names };
}

const valueAt = (body: Body, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);

/** An object in which nothing is left is left out. */
function withMemberAt(body: Body, [name, ...rest]: readonly string[], value: unknown): Body {
  if (rest.length === 0) return withMember(body, name!, value);
  const before = body[name!];
  const inner = withMemberAt(isObject(before) ? before : {}, rest, value);
  return withMember(body, name!, Object.keys(inner).length === 0 ? undefined : inner);
}

interface MoreProps {
  fields: readonly Field[];
  body: Body;
  onChange: (field: Field, value: unknown) => void;
  errors: readonly FieldError[];
}

function MoreOptions({ fields, body, onChange, errors }: MoreProps) {
  const [isOpen, setOpen] = useState(false);
  const [filter, setFilter] = useState('');
  const hasErrors = fields.some(({ name }) => errorsAt(errors, name).length > 0);
  const set = fields.filter(({ name }) => body[name] !== undefined).length;
  const shown = fields.filter((field) => matches(field, filter));
  return (
    <details class="more-options" open={isOpen || hasErrors} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        More options <span class="faint number">{set > 0 ? `${set} of ${fields.length} set` : fields.length}</span>
      </summary>
      {(isOpen || hasErrors) && (
        <div class="stack">
          <LabelledField label="Find an option" isLabelHidden>
            <TextInput
              type="search"
              value={filter}
              onInput={setFilter}
              placeholder="Find an option by name or purpose"
            />
          </LabelledField>
          {shown.length === 0 && (
            <p class="soft">No option has these words. Try another one, such as cache or proxy.</p>
          )}
          {groupFields(shown).map(({ title, fields: inGroup }) => (
            <section key={title} class="option-section">
              <h3>{title}</h3>
              {inGroup.map((field) => (
                <FieldControl
                  key={field.name}
                  field={field}
                  value={body[field.name]}
                  onChange={(value) => onChange(field, value)}
                  errors={errorsAt(errors, field.name)}
                  filter={filter}
                />
              ))}
            </section>
          ))}
        </div>
      )}
    </details>
  );
}
