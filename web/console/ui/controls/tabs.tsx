// Tabs, with the keys that people expect: arrows move between them.
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId } from 'preact/hooks';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  count?: number | string;
}

interface Props<Id extends string> {
  /** Says what the tabs are about. */
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onSelect: (id: Id) => void;
  /** The content of the current tab. */
  children?: ComponentChildren;
}

const ENDS: Readonly<Record<string, (length: number) => number>> = { Home: () => 0, End: (length) => length - 1 };
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs<Id extends string>({ label, tabs, current, onSelect, children }: Props<Id>) {
  const prefix = useId();
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const position = tabs.findIndex(({ id }) => id === current);
    const target = ENDS[event.key]?.(tabs.length) ?? position + (STEPS[event.key] ?? Number.NaN);
    const tab = tabs[(target + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    document.getElementById(`${prefix}-${tab.id}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label: text, count }) => (
          <button
            key={id}
            id={`${prefix}-${id}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={id === current ? 'true' : 'false'}
            aria-controls={children === undefined ? undefined : `${prefix}-panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {text}
            {count !== undefined && <span class="tab-count">{count}</span>}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div id={`${prefix}-panel`} role="tabpanel" aria-labelledby={`${prefix}-${current}`} class="stack">
          {children}
        </div>
      )}
    </div>
  );
}
