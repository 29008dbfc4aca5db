// What the list of jobs says while it is empty: how to get the first one.

import { exampleCommand } from '../../session/example-command.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';

const EXAMPLE = '{"url": "https://example.com", "limit": 20}';

export function EmptyList({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No job fits this filter">
        <p>Jobs are listed until their results expire. Choose another kind or status.</p>
        <ButtonLink href="/console/jobs">Show all jobs</ButtonLink>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has run yet">
      <p>
        A crawl reads a site page by page: it starts at one address and follows sitemaps and links. You see its pages
        here as they come.
      </p>
      <div class="row">
        <ButtonLink kind="primary" href="/console/playground/crawl">
          Start a crawl
        </ButtonLink>
        <ButtonLink href="/console/playground/agent">Ask an agent</ButtonLink>
      </div>
      <CodeBlock label="Or from a terminal" text={exampleCommand('/v2/crawl', EXAMPLE)} />
    </Empty>
  );
}
