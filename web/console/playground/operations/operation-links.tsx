// The operations that the key may use, as links: each has an address of its own.
import { formAddress } from '../run/form-address.ts';
import { formState } from '../run/form-state.ts';
import type { Operation } from '../run/run.ts';
import { OPERATION_INFO } from './operations.ts';
import { usableOperations } from './usable-operations.ts';

export const OperationLinks = ({ current }: { current: Operation }) => (
  <nav class="tabs operation-links" aria-label="Operation">
    {usableOperations().map((operation) => (
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
