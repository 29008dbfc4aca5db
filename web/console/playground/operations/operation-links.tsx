// The operations that the key may use, as links: each has an address of its own.
import { mayUse } from '../../session/session.ts';
import { formAddress } from '../run/form-address.ts';
import { formState } from '../run/form-state.ts';
import { OPERATIONS, type Operation } from '../run/run.ts';
import { OPERATION_INFO } from './operations.ts';

export const OperationLinks = ({ current }: { current: Operation }) => (
  <nav class="tabs operation-links" aria-label="Operation">
    {OPERATIONS.filter(mayUse).map((operation) => (
      <a
        key={operation}
        class="tab"
        href={formAddress(operation, formState(operation).body.value)}
        aria-current={operation === current ? 'page' : undefined}
      >
        {OPERATION_INFO[operation].label}
      </a>
    ))}
  </nav>
);
