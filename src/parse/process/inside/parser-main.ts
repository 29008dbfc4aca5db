// The inside of a parser process: one document after the other, until the service lets go of it.
import { ServiceError } from '../../../contracts/errors.ts';
import { loadParser } from '../../format-parsers.ts';
import { createOcr } from '../../ocr/create-ocr.ts';
import type { Ocr } from '../../ocr/ocr.ts';
import { problemOf } from '../problem.ts';
import type { Answer, ProcessMessage, ReadRequest } from '../process-messages.ts';
import { checkFile } from './check-file.ts';
import { checkOutput } from './check-output.ts';

let ocr: Ocr | undefined;

async function read({ file, options, ocr: settings, limits }: ReadRequest): Promise<Answer> {
  checkFile(file);
  const parse = await load(() => loadParser(file.kind));
  ocr ??= createOcr(settings);
  return { parsed: checkOutput(await parse(file, options, { ocr }), limits) };
}

/** A parser that does not start is our fault, not the document's. */
async function load<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    throw new ServiceError('UNKNOWN_ERROR', { cause });
  }
}

function send(answer: Answer, sent?: () => void): void {
  const message: ProcessMessage = { ...answer, memory: process.memoryUsage.rss() };
  process.send?.(message, undefined, undefined, sent);
}

// What a library throws at nobody is the document's fault as well; nobody knows what state it leaves behind.
const fail = (error: unknown): void => send({ problem: problemOf(error), isOver: true }, () => process.exit(1));

process.on('message', (request: ReadRequest) => {
  read(request)
    .catch((error: unknown): Answer => ({ problem: problemOf(error) }))
    .then((answer) => send(answer));
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('disconnect', () => process.exit());

process.send?.({ ready: true } satisfies ProcessMessage);
