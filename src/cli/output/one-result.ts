// The result of a command that has one: to standard output, or into the file that -o names.
import { join, parse } from 'node:path';
import type { Document } from '../../contracts/scrape/document.ts';
import type { Invocation, ServiceSession } from '../command.ts';
import { documentText, filesOf, type NamedFile } from './document-text.ts';
import { type DownloadFile, downloadFrom } from './download.ts';
import { targetOf } from './output-flag.ts';
import { writeFileSafely } from './write-file.ts';

interface OneResult {
  document: Partial<Document>;
  /** What `--json` shows. */
  answer: unknown;
}

type Given = Pick<Invocation, 'flags' | 'screen'>;

export async function putResult(result: OneResult, { flags, screen }: Given, session: ServiceSession): Promise<void> {
  const target = targetOf(flags.output);
  const download = downloadFrom(session);
  if (target.kind === 'print') return printResult(result, { screen, download, session });
  const isJson = screen.json || target.path.endsWith('.json');
  await writeResult(target.path, isJson ? jsonText(result) : documentText(result.document), {
    files: filesOf(result.document),
    download,
  });
  screen.note(`Written to ${target.path}`);
}

const jsonText = ({ answer }: OneResult): string => JSON.stringify(answer, null, 2);

interface PrintTools extends Pick<Given, 'screen'> {
  download: DownloadFile;
  session: ServiceSession;
}

async function printResult(result: OneResult, { screen, download, session }: PrintTools): Promise<void> {
  const text = screen.json ? jsonText(result) : documentText(result.document);
  const files = filesOf(result.document);
  const [only] = files;
  if (text === '' && only && files.length === 1 && !screen.isTerminal) {
    for await (const chunk of (await download(only)).content) screen.printBytes(chunk);
    return;
  }
  if (text !== '') screen.print(text);
  // The links of an answer in JSON work as long as the service runs.
  const isLinked = screen.json && !session.isEmbedded;
  if (files.length > 0 && !isLinked) {
    screen.note(`Not shown: ${files.map(({ name }) => name).join(', ')}. Name a file or a folder with -o.`);
  }
}

interface Files {
  files: readonly NamedFile[];
  download: DownloadFile;
}

/** A single file takes the place itself; files beside a text have its name. */
async function writeResult(path: string, text: string, { files, download }: Files): Promise<void> {
  const [only] = files;
  if (text === '' && only && files.length === 1) return writeFileSafely(path, (await download(only)).content);
  await writeFileSafely(path, text === '' || text.endsWith('\n') ? text : `${text}\n`);
  const { dir, name } = parse(path);
  for (const file of files) {
    const { extension, content } = await download(file);
    await writeFileSafely(join(dir, `${name}.${file.name}${extension}`), content);
  }
}
