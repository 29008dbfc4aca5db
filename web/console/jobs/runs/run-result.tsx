// What a run has found: as a table if it is a list of records, and as JSON.
import type { ListedJobView } from '../../../../src/contracts/crawl/job-list.ts';
import { count } from '../../ui/data/format.ts';
import { JsonView } from '../../ui/data/json-view.tsx';
import { Table } from '../../ui/data/table.tsx';
import { plainLine } from '../../ui/data/untrusted.ts';
import { Empty } from '../../ui/states/empty.tsx';
import { WebLink } from '../../ui/text/web-link.tsx';
import { Fact, TimeFacts } from '../parts.tsx';
import { recordsOf } from './records.ts';

const SHOWN_SOURCES = 50;

interface ResultProps {
  isRunning: boolean;
  data: unknown;
  message?: string;
  warning?: string;
  sources?: Record<string, string[]>;
}

export function RunResult({ isRunning, data, message, warning, sources }: ResultProps) {
  if (data === undefined && message === undefined) {
    return (
      <Empty title={isRunning ? 'Nothing found yet' : 'The run found nothing'}>
        <p>
          {isRunning
            ? 'The result appears here when the run ends.'
            : 'Say more about what you look for, or name pages.'}
        </p>
      </Empty>
    );
  }
  const records = recordsOf(data);
  return (
    <>
      {warning !== undefined && <p class="notice notice-warn">{plainLine(warning)}</p>}
      {message !== undefined && <p class="card run-message">{message}</p>}
      {records && (
        <Table
          caption="What was found"
          columns={records.columns.map((name) => ({
            id: name,
            title: plainLine(name, 60),
            cell: (row: Record<string, string>) => <span class="record-cell">{row[name] ?? ''}</span>,
          }))}
          rows={records.rows}
          rowKey={(row) => records.rows.indexOf(row)}
        />
      )}
      {data !== undefined && <JsonView value={data} label="Data" />}
      <Sources sources={sources} />
    </>
  );
}

function Sources({ sources = {} }: { sources?: Record<string, string[]> }) {
  const urls = [...new Set(Object.values(sources).flat())];
  if (urls.length === 0) return null;
  return (
    <section class="card stack" aria-label="Sources">
      <h2>Sources</h2>
      <ul class="url-list">
        {urls.slice(0, SHOWN_SOURCES).map((url) => (
          <li key={url}>
            <WebLink href={url} isCut>
              {plainLine(url, 300)}
            </WebLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FactsProps {
  job: ListedJobView;
  model?: string;
  stopReason?: string;
}

export function RunFacts({ job, model, stopReason }: FactsProps) {
  return (
    <div class="tiles">
      <Fact label="Credits">{count(job.creditsUsed)}</Fact>
      <TimeFacts job={job} />
      {model !== undefined && (
        <Fact label="Language model">{model === 'none' ? 'none (rules)' : plainLine(model, 60)}</Fact>
      )}
      {stopReason !== undefined && <Fact label="Ended early">{plainLine(stopReason, 60)}</Fact>}
    </div>
  );
}
