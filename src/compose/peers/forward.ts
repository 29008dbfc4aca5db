// Sends an operation to another process, for the caller who asked this one.
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { OperationId } from '../../contracts/routes.ts';
import type { Caller } from '../../operations/caller.ts';
import type { PeerCalls } from '../../peers/peer-calls.ts';
import type { ProcessRow } from '../../store/ports/process-registry.ts';

export type Forward = (
  process: ProcessRow,
  id: OperationId,
  call: { caller: Caller },
  options: { onLost(cause: unknown): ServiceError; signal?: AbortSignal },
) => Promise<unknown>;

export const createForward =
  (calls: PeerCalls): Forward =>
  (process, id, call, { onLost, signal: until }) => {
    const { caller, ...rest } = call;
    const { signal: gone, ...identity } = caller;
    const signal = until ? AbortSignal.any([gone, until]) : gone;
    return calls.call(process, id, { ...rest, given: undefined, caller: identity }, { signal, onLost });
  };
