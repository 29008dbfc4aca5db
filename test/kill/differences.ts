// Compares a job that was killed repeatedly with the same job undisturbed.
import type { EndedJob } from './job-run.ts';

/** One sentence per difference; empty when the kills left no trace. */
export function differences(killed: EndedJob, undisturbed: EndedJob): string[] {
  return [
    ...statusProblems(killed),
    ...resultProblems(killed, undisturbed),
    ...movedDocuments(killed),
    ...webhookProblems(killed),
    ...killed.folderProblems,
  ];
}

function statusProblems({ status, completed, total, documents, errors, logged }: EndedJob): string[] {
  const found: string[] = [];
  if (status !== 'completed') found.push(`The job is ${status}.`);
  if (completed !== total) found.push(`${completed} pages are completed, but the total is ${total}.`);
  if (completed !== documents.length) found.push(`${completed} pages are completed, ${documents.length} are given.`);
  if (errors.length > 0) found.push(`The job has errors: ${JSON.stringify(errors)}`);
  if (logged.length > 0) found.push(`The program has logged errors: ${logged.join('')}`);
  return found;
}

function resultProblems({ documents }: EndedJob, undisturbed: EndedJob): string[] {
  const texts = new Map(documents.map(({ url, text }) => [url, text]));
  const wanted = new Map(undisturbed.documents.map(({ url, text }) => [url, text]));
  const found = repeated(documents.map(({ url }) => url)).map((url) => `${url} is there twice.`);
  for (const [url, text] of wanted) {
    if (!texts.has(url)) found.push(`${url} is missing.`);
    else if (texts.get(url) === '') found.push(`${url} is empty.`);
    else if (texts.get(url) !== text) found.push(`${url} has another text.`);
  }
  for (const url of texts.keys()) if (!wanted.has(url)) found.push(`${url} is there only after kills.`);
  return found;
}

/** Documents whose position changed after they were first seen. */
const movedDocuments = ({ seen, documents }: EndedJob): string[] =>
  seen.flatMap(({ url, scrapeId, text }, position) => {
    const now = documents[position];
    if (now?.scrapeId === scrapeId && now.url === url && now.text === text) return [];
    return [`Document ${position} was ${url} (${scrapeId}) and is ${now?.url} (${now?.scrapeId}).`];
  });

interface WebhookBody {
  type: string;
  webhookId: string;
  data: { metadata: { scrapeId: string } }[];
}

/** Calls may be repeated with the same webhookId and body. Each event must appear once, and in order. */
export function webhookProblems({ kind, calls, documents }: Pick<EndedJob, 'kind' | 'calls' | 'documents'>): string[] {
  const found: string[] = [];
  const bodies = new Map<string, string>();
  for (const body of calls) {
    const { webhookId } = JSON.parse(body) as WebhookBody;
    if ((bodies.get(webhookId) ?? body) !== body) found.push(`Call ${webhookId} came with two bodies.`);
    bodies.set(webhookId, body);
  }
  const events = [...bodies.values()].map((body) => {
    const { type, data } = JSON.parse(body) as WebhookBody;
    return [type, ...data.map(({ metadata }) => metadata.scrapeId)].join(' ');
  });
  const due = [`${kind}.started`, ...documents.map(({ scrapeId }) => `${kind}.page ${scrapeId}`), `${kind}.completed`];
  found.push(...repeated(events).map((event) => `The event "${event}" came as two calls.`));
  const position = due.findIndex((event, index) => events[index] !== event);
  if (position >= 0) found.push(`Event ${position} should be "${due[position]}" and is "${events[position]}".`);
  if (events.length > due.length) found.push(`${events.length} events came instead of ${due.length}.`);
  return found;
}

const repeated = (values: string[]): string[] => values.filter((value, index) => values.indexOf(value) < index);
