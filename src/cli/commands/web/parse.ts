// `trawl parse FILE...`: documents of this machine as Markdown or in other formats.

import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ApiError } from '../../../client/api-error.ts';
import type { Document } from '../../../contracts/scrape/document.ts';
import { optionsWhere } from '../../../contracts/scrape/option-traits.ts';
import type { CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { openDocumentOutput } from '../../documents/document-output.ts';
import { EXIT } from '../../exit-codes.ts';
import { putResult } from '../../output/one-result.ts';
import { OUTPUT_FLAG, targetOf } from '../../output/output-flag.ts';
import { UsageError } from '../../usage-error.ts';

interface LocalFile {
  name: string;
  read(): Promise<Blob>;
}

export const parse: CommandBody = {
  usage: 'FILE...',
  call: 'parse',
  without: ['uploadRef', ...optionsWhere(({ ofUploads }) => ofUploads === 'refused' || ofUploads === 'ignored')],
  common: ['formats', 'parsers', 'timeout'],
  flags: {
    name: { type: 'string', value: 'NAME', text: 'File name of standard input (-), for its type: report.docx' },
    output: OUTPUT_FLAG,
  },
  examples: [
    'trawl parse report.pdf | less',
    'trawl parse *.docx -o markdown/',
    'curl -s https://example.com/a.pdf | trawl parse - --name a.pdf',
  ],
  async run(invocation) {
    const { args, flags } = invocation;
    if (args.length === 0) throw new UsageError('There is no file. Usage: trawl parse FILE...');
    const files = await Promise.all(args.map((path) => localFile(path, flags.name as string | undefined)));
    const isOne = files.length === 1 && targetOf(flags.output).kind !== 'folder';
    const session = await invocation.connect();
    return isOne ? parseOne(files[0]!, invocation, session) : parseAll(files, invocation, session);
  },
};

/** Checked before a service is started for it. */
async function localFile(path: string, name: string | undefined): Promise<LocalFile> {
  if (path === '-') return { name: name ?? 'stdin', read: async () => new Blob([await buffer(process.stdin)]) };
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
  return { name: basename(path), read: () => openAsBlob(path) };
}

async function parseOne({ name, read }: LocalFile, invocation: Invocation, session: ServiceSession): Promise<number> {
  const { body, signal, screen } = invocation;
  const answer = await session.api.call('parse', { body, file: { name, content: await read() }, signal });
  const document = answer.data as Document;
  await putResult({ document, answer }, invocation, session);
  for (const note of new Set([answer.warning, document.warning])) if (note) screen.note(note);
  return EXIT.ok;
}

/** A file that cannot be parsed is named, and the others are parsed. */
async function parseAll(files: readonly LocalFile[], invocation: Invocation, { api }: ServiceSession): Promise<number> {
  const { body, flags, screen, signal } = invocation;
  const output = await openDocumentOutput(flags.output as string | undefined, screen, api);
  const progress = screen.progress('Parsing');
  let failures = 0;
  try {
    for (const [done, { name, read }] of files.entries()) {
      progress.update({ done, total: files.length, note: name });
      try {
        const answer = await api.call('parse', { body, file: { name, content: await read() }, signal });
        await output.write(answer.data as Document);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status < 400 || error.status === 401) throw error;
        screen.note(`${name}: ${error.message}`);
        failures += 1;
      }
    }
  } finally {
    progress.end();
    await output.close();
  }
  if (failures === 0) return EXIT.ok;
  return failures < files.length ? EXIT.partly : EXIT.failed;
}
