// `trawl crawl export ID`: all pages of a job as one file, as the service makes it.
import { EXPORT_FILES, EXPORT_FORMATS, type ExportFormat } from '../../contracts/crawl/export.ts';
import type { Command, Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { writeFileSafely } from '../output/write-file.ts';
import { onlyOne } from '../parse/count-arguments.ts';
import { UsageError } from '../usage-error.ts';
import type { JobCalls } from './job-kind.ts';

const BINARY: ReadonlySet<string> = new Set(['zip', 'parquet', 'huggingface', 'warc', 'wacz']);

export const exportCommand = ({ name, calls }: JobCalls): Command => ({
  name: 'export',
  summary: 'Download all pages as one file',
  usage: 'ID',
  flags: {
    format: { type: 'string', choices: EXPORT_FORMATS, text: 'Default: by the name of the file, else jsonl.' },
    partial: { type: 'boolean', text: 'Also while it runs: the pages so far.' },
    license: { type: 'string', value: 'ID', text: 'The licence that the card of a data set names.' },
    to: { type: 'string', choices: ['s3'], text: 'Write it to the bucket of the server instead.' },
    output: { type: 'string', short: 'o', value: 'FILE', text: 'Where to write it. Default: standard output.' },
  },
  examples: [`trawl ${name} export ID -o pages.zip`, `trawl ${name} export ID --format csv > pages.csv`],
  async run(invocation) {
    const id = onlyOne(invocation.args, `trawl ${name} export ID -o FILE`);
    const { flags, screen, signal } = invocation;
    const format = formatOf(flags);
    const path = flags.output as string | undefined;
    if (flags.to !== undefined) return storeExport(invocation, calls.storeExport, { id, format });
    if (BINARY.has(format) && path === undefined && screen.isTerminal) {
      throw new UsageError(`A file of the format ${format} cannot be shown in a terminal. Name a file with -o.`);
    }
    const { api } = await invocation.connect();
    const query = { format, ...choiceOf(flags) };
    const { body } = await api.download(calls.export, { params: { id }, query, signal });
    if (path !== undefined) {
      await writeFileSafely(path, body);
      screen.note(`Written to ${path}`);
    } else for await (const chunk of body) screen.printBytes(chunk);
    return EXIT.ok;
  },
});

const choiceOf = ({ partial, license }: Invocation['flags']) => ({
  ...(partial === true && { partial: true }),
  ...(license !== undefined && { license: license as string }),
});

async function storeExport(
  { flags, screen, signal, connect }: Invocation,
  call: JobCalls['calls']['storeExport'],
  { id, format }: { id: string; format: string },
): Promise<number> {
  if (flags.output !== undefined) throw new UsageError('Give either --to or -o.');
  const { api } = await connect();
  const body = { format: format as ExportFormat, destination: 's3' as const, ...choiceOf(flags) };
  const answer = await api.call(call, { params: { id }, body, signal });
  if (screen.json) screen.print(JSON.stringify(answer));
  screen.note(`Written to ${answer.key} of the bucket ${answer.bucket}: ${answer.size} bytes`);
  return EXIT.ok;
}

function formatOf({ format, output }: Invocation['flags']): string {
  if (format !== undefined) return format as string;
  const name = (output as string | undefined) ?? '';
  const fitting = Object.entries(EXPORT_FILES).filter(([, { extension }]) => name.endsWith(`.${extension}`));
  // `.chunks.jsonl` ends with `.jsonl`, too.
  return fitting.sort(([, a], [, b]) => b.extension.length - a.extension.length)[0]?.[0] ?? 'jsonl';
}
