// Sends what an operation answers: text that is JSON already as it is, downloads as they come.
import { Download } from '../archive/download.ts';
import { freeBuffersOf } from '../util/bytes/free-bytes.ts';
import { JsonText } from '../util/json/json-text.ts';
import { sendDownload } from './send-download.ts';

// The same label as on answers that Fastify serialises.
const JSON_TYPE = 'application/json; charset=utf-8';

/** What it returns is the answer of a handler. */
export function sendAnswer(answer: unknown, to: Parameters<typeof sendDownload>[1]): unknown {
  if (answer instanceof Download) return sendDownload(answer, to);
  if (!(answer instanceof JsonText)) return answer;
  // Until then, the socket may still read them. Nobody keeps an answer.
  to.reply.raw.once('close', () => freeBuffersOf([answer.bytes]));
  return to.reply.type(JSON_TYPE).send(answer.bytes);
}
