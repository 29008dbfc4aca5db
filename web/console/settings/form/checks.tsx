// A group of checkboxes, each with what it means.
import { useId } from 'preact/hooks';

interface Props<T extends string> {
  legend: string;
  help?: string;
  error?: string;
  options: readonly { value: T; label: string; help?: string }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

export function Checks<T extends string>({ legend, help, error, options, chosen, onChange }: Props<T>) {
  const id = useId();
  return (
    <fieldset class="checks" aria-describedby={help === undefined ? undefined : `${id}-help`}>
      <legend class="field-label">{legend}</legend>
      {help !== undefined && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <div class="checks-list">
        {options.map((option) => (
          <label key={option.value} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={({ currentTarget }) =>
                onChange(
                  options
                    .map(({ value }) => value)
                    .filter((value) => (value === option.value ? currentTarget.checked : chosen.includes(value))),
                )
              }
            />
            <span>
              {option.label}
              {option.help && <span class="check-help">{option.help}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
