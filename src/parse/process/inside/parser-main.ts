// Entry point of a parser process: parses one file after another until the service disconnects.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { systemClock } from '../../../util/clock.ts';
import { loadParser } from '../../load-parser.ts';
import { createOcr } from '../../ocr/create-ocr.ts';
import type { Ocr } from '../../ocr/ocr.ts';
import { problemOf } from '../problem.ts';
import type { ParserAnswer, ParserMessage, SentRequest } from '../process-messages.ts';
import { checkFile } from './check-file.ts';
import { checkOutput } from './check-output.ts';

function createFileParser(): (request: SentRequest) => Promise<ParserAnswer> {
  // Kept for later files, because finding the OCR tools takes time.
  let ocr: Ocr | undefined;
  return async ({ file, options: others, leftMs, ocr: settings, limits }) => {
    const options = { ...others, deadline: systemClock.now() + leftMs };
    checkFile(file);
    const parse = await load(() => loadParser(file.kind));
    ocr ??= createOcr(settings);
    return { parsed: checkOutput(await parse(file, options, { ocr }), limits) };
  };
}

/** A parser that fails to load is a fault of the service, not of the file. */
async function load<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    throw new ServiceError('UNKNOWN_ERROR', { cause });
  }
}

function send(answer: ParserAnswer, sent?: () => void): void {
  const message: ParserMessage = { ...answer, memory: process.memoryUsage.rss() };
  process.send?.(message, undefined, undefined, sent);
}

// Uncaught errors of libraries are caused by the file too, but leave the process in an unknown state: exit.
const fail = (error: unknown): void => send({ problem: problemOf(error), isOver: true }, () => process.exit(1));

const parseFile = createFileParser();
process.on('message', (request: SentRequest) => {
  parseFile(request)
    .catch((error: unknown): ParserAnswer => ({ problem: problemOf(error) }))
    .then((answer) => send(answer));
});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('disconnect', () => process.exit());

process.send?.({ ready: true } satisfies ParserMessage);
