// The conditions of the search as chips: operators of the query, and filters. Each can be removed.
import { Icon } from '../ui/icon.tsx';
import { type Data, kindName, languageName, timeName } from './names.ts';
import { type Looked, toggled, withoutPart } from './search-address.ts';

interface Props {
  looked: Looked;
  /** How the service read the query; undefined before its first answer. */
  read: Data['query'] | undefined;
  onGo(looked: Looked): void;
}

interface Chip {
  label: string;
  /** Why it has no effect. */
  note?: string;
  without: Looked;
}

export function Chips({ looked, read, onGo }: Props) {
  return (
    <ul class="conditions" aria-label="Conditions">
      {chipsOf(looked, read).map(({ label, note, without }) => (
        <li key={label} class="condition">
          <span class="condition-label" title={note}>
            {label}
            {note !== undefined && <span class="faint"> ({note})</span>}
          </span>
          <button type="button" aria-label={`Remove ${label}`} onClick={() => onGo(without)}>
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function chipsOf(looked: Looked, read: Data['query'] | undefined): Chip[] {
  const conditions = read?.conditions ?? [];
  return [
    ...conditions.map(({ text, isIgnored, ...part }) => ({
      label: text,
      ...(isIgnored && { note: 'for images only' }),
      without: { ...looked, query: withoutPart(read!.text, part) },
    })),
    ...looked.hosts.map((host) => ({ label: host, without: toggled(looked, 'hosts', host) })),
    ...looked.languages.map((code) => ({ label: languageName(code), without: toggled(looked, 'languages', code) })),
    ...looked.kinds.map((kind) => ({ label: kindName(kind), without: toggled(looked, 'kinds', kind) })),
    ...(looked.time === '' ? [] : [{ label: timeName(looked.time), without: { ...looked, time: '' } }]),
  ];
}
