// What a job was started with, and a way to start it again.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';

type Details = ResponseOf<'getJob'>['data'];

const OPERATIONS = { crawl: 'crawl', batch: 'batch', agent: 'agent', extract: 'extract' } as const;

export function RequestTab({ kind, request, isWhole }: Pick<Details, 'kind' | 'request' | 'isWhole'>) {
  if (request === null) return <p class="soft">The request is not stored, because the job has zero data retention.</p>;
  const json = JSON.stringify(request, null, 2);
  const operation = OPERATIONS[kind as keyof typeof OPERATIONS];
  return (
    <>
      <p class="soft">
        Options that have their default are left out.{' '}
        {!isWhole &&
          'Some parts are hidden (values of headers, actions) or cut, so complete them before you send it again.'}
      </p>
      <CodeBlock label="Request" text={json} />
      {operation && (
        <div class="row">
          <ButtonLink icon="playground" href={playgroundAddress(operation, json)}>
            Open in the playground
          </ButtonLink>
        </div>
      )}
    </>
  );
}

const playgroundAddress = (operation: string, json: string): string =>
  `/console/playground/${operation}?${new URLSearchParams({ request: JSON.stringify(JSON.parse(json)) })}`;
