// The last requests of an operation, to take up again.
import { OPERATION_INFO } from '../operations/operations.ts';
import { type Body, forgetRecent, loadRecent } from './recent.ts';
import type { Operation } from './run.ts';

interface Props {
  operation: Operation;
  onChoose: (body: Body) => void;
}

const FORGET = 'forget';

export function RecentRequests({ operation, onChoose }: Props) {
  const requests = loadRecent()[operation] ?? [];
  if (requests.length === 0) return null;
  return (
    <select
      class="input recent"
      aria-label="Recent requests"
      value=""
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        currentTarget.value = '';
        if (value === FORGET) {
          forgetRecent();
          currentTarget.remove();
        } else if (requests[Number(value)]) onChoose(requests[Number(value)]!);
      }}
    >
      <option value="">Recent</option>
      {requests.map((body, index) => (
        <option key={index} value={index}>
          {titleOf(operation, body)}
        </option>
      ))}
      <option value={FORGET}>Forget them all</option>
    </select>
  );
}

const MAX_TITLE = 70;

function titleOf(operation: Operation, body: Body): string {
  const { main } = OPERATION_INFO[operation];
  const { [main ?? '']: value, ...options } = body;
  const names = Object.keys(options);
  const title = [value].flat().filter(Boolean).join(' ');
  return `${title}${names.length === 0 ? '' : ` (${names.join(', ')})`}`.slice(0, MAX_TITLE);
}
