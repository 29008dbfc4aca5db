// The page "Playground": choose what to do, fill in the form, run it, look at the answer, and take the same call away as code.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { PageHead } from '../ui/page-head.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { AnswerPane } from './answer/answer-pane.tsx';
import { OperationLinks } from './operations/operation-links.tsx';
import { OPERATION_INFO } from './operations/operations.ts';
import { mayRun, usableOperations } from './operations/usable-operations.ts';
import { RequestPane } from './request-pane.tsx';
import { watchJobs } from './run/follow-job.ts';
import { bodyOfAddress, isOperation } from './run/form-address.ts';
import { formState } from './run/form-state.ts';
import type { Operation } from './run/run.ts';

export function Playground() {
  const { params } = useRoute();
  const operation: Operation = isOperation(params.operation) ? params.operation : (usableOperations()[0] ?? 'scrape');
  useAddress(operation);
  useEffect(watchJobs, []);
  const { run } = formState(operation);
  return (
    <>
      <PageHead title="Playground" intro={OPERATION_INFO[operation].intro} />
      <OperationLinks current={operation} />
      {mayRun(operation) ? (
        <div class="playground">
          <RequestPane key={operation} operation={operation} />
          <div class="playground-answer">
            <AnswerPane key={`answer of ${operation}`} run={run} />
          </div>
        </div>
      ) : (
        <Empty title={`Your key may not use ${OPERATION_INFO[operation].label.toLowerCase()}`}>
          <p>
            It is restricted to other calls. Log in with another key, or ask the person who manages the keys of your
            team.
          </p>
        </Empty>
      )}
    </>
  );
}

/** Fills in what the address carries. Nothing is sent: a link must not spend credits. */
function useAddress(operation: Operation): void {
  const { url } = useLocation();
  const seen = useSignal('');
  useMemo(() => {
    if (seen.value === url) return;
    seen.value = url;
    const { body } = formState(operation);
    const given = bodyOfAddress(operation, new URL(url, location.origin).search);
    if (Object.keys(given).length > 0) body.value = { ...body.value, ...given };
  }, [url, operation]);
}
