// What a job that was killed again and again has otherwise than the same job undisturbed.
import type { EndedJob } from './job-run.ts';

/** Each difference as a sentence; empty when the kills left no trace. */
export function differences(killed: EndedJob, undisturbed: EndedJob): string[] {
  return [
    ...unlikeAnEnd(killed),
    ...unlikeResults(killed, undisturbed),
    ...moved(killed),
    ...webhookProblems(killed),
    ...killed.folderProblems,
  ];
}

function unlikeAnEnd({ status, completed, total, documents, errors, logged }: EndedJob): string[] {
  const found: string[] = [];
  if (status !== 'completed') found.push(`The job is ${status}.`);
  if (completed !== total) found.push(`${completed} pages are completed, but the total is ${total}.`);
  if (completed !== documents.length) found.push(`${completed} pages are completed, ${documents.length} are given.`);
  if (errors.length > 0) found.push(`The job has errors: ${JSON.stringify(errors)}`);
  if (logged.length > 0) found.push(`The program has logged errors: ${logged.join('')}`);
  return found;
}

function unlikeResults({ documents }: EndedJob, undisturbed: EndedJob): string[] {
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

/** Documents that were seen at one place and are at another now. */
const moved = ({ seen, documents }: EndedJob): string[] =>
  seen.flatMap(({ url, scrapeId, text }, place) => {
    const now = documents[place];
    if (now?.scrapeId === scrapeId && now.url === url && now.text === text) return [];
    return [`Document ${place} was ${url} (${scrapeId}) and is ${now?.url} (${now?.scrapeId}).`];
  });

interface WebhookBody {
  type: string;
  webhookId: string;
  data: { metadata: { scrapeId: string } }[];
}

/** Calls may be repeated, but then with the same webhookId and body. Events must be there once, and in order. */
function webhookProblems({ kind, calls, documents }: EndedJob): string[] {
  const found: string[] = [];
  const bodies = new Map<string, string>();
  for (const body of calls) {
    const { webhookId } = JSON.parse(body) as WebhookBody;
    if ((bodies.get(webhookId) ?? body) !== body) found.push(`Call ${webhookId} came with two bodies.`);
    bodies.set(webhookId, body);
  }
  const told = [...bodies.values()].map((body) => {
    const { type, data } = JSON.parse(body) as WebhookBody;
    return [type, ...data.map(({ metadata }) => metadata.scrapeId)].join(' ');
  });
  const due = [`${kind}.started`, ...documents.map(({ scrapeId }) => `${kind}.page ${scrapeId}`), `${kind}.completed`];
  found.push(...repeated(told).map((event) => `The event "${event}" came as two calls.`));
  const place = due.findIndex((event, index) => told[index] !== event);
  if (place >= 0) found.push(`Event ${place} should be "${due[place]}" and is "${told[place]}".`);
  if (told.length > due.length) found.push(`${told.length} events came instead of ${due.length}.`);
  return found;
}

const repeated = (values: string[]): string[] => values.filter((value, index) => values.indexOf(value) < index);
