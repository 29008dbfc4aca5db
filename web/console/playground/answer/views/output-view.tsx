// What code in a browser session has printed and returned.

import { fieldsOf, numberOf, textOf } from '../../../ui/data/untrusted.ts';
import { Status } from '../../../ui/states/status.tsx';
import { TextView } from './text-view.tsx';

const PARTS = [
  ['output', 'Answer'],
  ['result', 'Result'],
  ['stdout', 'Output'],
  ['stderr', 'Errors'],
] as const;

export function OutputView({ value }: { value: unknown }) {
  const body = fieldsOf(value);
  const exitCode = numberOf(body.exitCode);
  const parts = PARTS.flatMap(([key, label]) => {
    const text = textOf(body[key]);
    return text === undefined ? [] : [{ key, label, text }];
  });
  return (
    <>
      {exitCode !== undefined && (
        <p>
          <Status tone={exitCode === 0 ? 'good' : 'bad'}>
            {exitCode === 0 ? 'Exited without an error' : `Exited with code ${exitCode}`}
          </Status>
        </p>
      )}
      {parts.length === 0 && <p class="soft">The code printed and returned nothing.</p>}
      {parts.map(({ key, label, text }) => (
        <div key={key} class="stack-tight">
          <h3>{label}</h3>
          <TextView text={text} label={label} />
        </div>
      ))}
    </>
  );
}
