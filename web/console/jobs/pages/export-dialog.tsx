// All pages of a job as one file: a link for each format, with what it is good for.
import type { ExportFormat } from '../../../../src/contracts/crawl/export.ts';
import { addressOf } from '../../api/call.ts';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { plural } from '../../ui/data/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { isActive } from '../describe.ts';
import type { PageJobDetails } from './page-rows.ts';

const FORMATS: readonly { format: ExportFormat; name: string; use: string }[] = [
  { format: 'jsonl', name: 'JSON Lines', use: 'A document a line, for databases, data frames and jq.' },
  { format: 'csv', name: 'CSV', use: 'A row a page, for spreadsheets.' },
  { format: 'zip', name: 'Markdown files (ZIP)', use: 'A file for each page, for notes and folders.' },
  { format: 'markdown', name: 'One Markdown text', use: 'All pages in one text, for language models.' },
  { format: 'chunks', name: 'Chunks', use: 'A piece of a page a line, for search indexes, if the job made chunks.' },
  { format: 'parquet', name: 'Parquet', use: 'Typed columns, for DuckDB, pandas and warehouses.' },
  { format: 'huggingface', name: 'Hugging Face data set', use: 'Parquet files with a card, in a ZIP archive.' },
  { format: 'llms', name: 'llms.txt', use: 'A list of the pages with notes, for the root of a site.' },
  { format: 'llms-full', name: 'llms-full.txt', use: 'The texts of all pages, for language models.' },
  { format: 'sitemap', name: 'Sitemap', use: 'The addresses, with their last change where it is known.' },
  { format: 'warc', name: 'Web archive (WARC)', use: 'For archives and replay tools.' },
  {
    format: 'wacz',
    name: 'Web archive with an index (WACZ)',
    use: 'To replay pages, if the job was started with archive.',
  },
  { format: 'json', name: 'JSON', use: 'One list of all documents.' },
];

export function ExportDialog({ job, onClose }: { job: PageJobDetails; onClose: () => void }) {
  const isRunning = isActive(job);
  const id = job.kind === 'crawl' ? 'exportCrawl' : 'exportBatch';
  return (
    <Dialog title="Export" onClose={onClose}>
      <p>
        {isRunning
          ? `The job is still running. The file has what is done so far: ${plural(job.completed ?? 0, 'page')}.`
          : `The file has ${plural(job.completed ?? 0, 'page')}. Failed pages are not in it.`}
      </p>
      <ul class="export-list">
        {FORMATS.map(({ format, name, use }) => (
          <li key={format}>
            <a
              class="export-link"
              href={addressOf(id, { id: job.id }, { format, ...(isRunning && { partial: true }) })}
              download
              // The router of the console must leave it to the browser.
              target="_self"
            >
              <Icon name="download" />
              <span>
                <strong>{name}</strong>
                <span class="small soft">{use}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
