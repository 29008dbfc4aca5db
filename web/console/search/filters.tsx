// The filters beside the results: time, kind, language and site, each with how many pages it would leave.
import { useState } from 'preact/hooks';
import { Button } from '../ui/controls/button.tsx';
import { count } from '../ui/data/format.ts';
import { type Data, kindName, languageName, timeName } from './names.ts';
import { hasFilters, type ListName, type Looked, toggled, withoutFilters } from './search-address.ts';

type Facets = NonNullable<Data['facets']>;

interface Props {
  looked: Looked;
  facets: Facets | undefined;
  onGo(looked: Looked): void;
}

const FEW = 6;
const TIMES = ['', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'];

export function Filters({ looked, facets, onGo }: Props) {
  // Without a query, nothing can match better.
  const isListed = looked.query.trim() === '';
  return (
    <div class="filters">
      <fieldset>
        <legend>Order</legend>
        <Choice
          type="radio"
          name="order"
          label="Best match"
          isOn={!looked.isNewestFirst && !isListed}
          disabled={isListed}
          onChange={() => onGo({ ...looked, isNewestFirst: false })}
        />
        <Choice
          type="radio"
          name="order"
          label="Newest first"
          isOn={looked.isNewestFirst || isListed}
          onChange={() => onGo({ ...looked, isNewestFirst: true })}
        />
      </fieldset>
      <fieldset>
        <legend>Time</legend>
        {TIMES.map((time) => (
          <Choice
            key={time}
            type="radio"
            name="time"
            label={timeName(time)}
            pages={facets?.dates.find(({ value }) => value === time)?.pages}
            isOn={looked.time === time}
            onChange={() => onGo({ ...looked, time })}
          />
        ))}
      </fieldset>
      <List title="Kind" list="kinds" counts={facets?.kinds} nameOf={kindName} looked={looked} onGo={onGo} />
      <List
        title="Language"
        list="languages"
        counts={facets?.languages}
        nameOf={languageName}
        looked={looked}
        onGo={onGo}
      />
      <List title="Site" list="hosts" counts={facets?.hosts} nameOf={(host) => host} looked={looked} onGo={onGo} />
      {hasFilters(looked) && (
        <Button isSmall icon="close" onClick={() => onGo(withoutFilters(looked))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

interface ListProps {
  title: string;
  list: ListName;
  counts: Facets['hosts'] | undefined;
  nameOf(value: string): string;
  looked: Looked;
  onGo(looked: Looked): void;
}

function List({ title, list, counts = [], nameOf, looked, onGo }: ListProps) {
  const [isWhole, setWhole] = useState(false);
  // What is chosen stays visible, also when no page is left for it.
  const missing = looked[list].filter((value) => counts.every((other) => other.value !== value));
  const values = [...counts, ...missing.map((value) => ({ value, pages: 0 }))];
  const shown = values.filter(({ value }, at) => isWhole || at < FEW || looked[list].includes(value));
  if (values.length === 0) return null;
  return (
    <fieldset>
      <legend>{title}</legend>
      {shown.map(({ value, pages }) => (
        <Choice
          key={value}
          type="checkbox"
          label={nameOf(value)}
          pages={pages}
          isOn={looked[list].includes(value)}
          onChange={() => onGo(toggled(looked, list, value))}
        />
      ))}
      {values.length > FEW && (
        <Button kind="quiet" isSmall aria-expanded={isWhole ? 'true' : 'false'} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${values.length - shown.length} more`}
        </Button>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  type: 'radio' | 'checkbox';
  name?: string;
  label: string;
  pages?: number | undefined;
  isOn: boolean;
  disabled?: boolean;
  onChange(): void;
}

const Choice = ({ type, name, label, pages, isOn, disabled, onChange }: ChoiceProps) => (
  <label class="choice">
    <input type={type} name={name} checked={isOn} disabled={disabled} onChange={onChange} />
    <bdi class="cut" title={label}>
      {label}
    </bdi>
    {pages !== undefined && <span class="choice-count number">{count(pages)}</span>}
  </label>
);
