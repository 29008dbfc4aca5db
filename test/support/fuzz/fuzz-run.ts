// Sends random requests to a service and says what is wrong with its answers: unexpected errors, broken contracts, hangs.
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import type { RunningProgram } from '../service.ts';
import type { Web } from '../web.ts';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  /** Requests at the same time. */
  parallel: number;
  /** A request that takes longer hangs: no generated request asks for more than a few seconds. */
  hangMs: number;
  /** Only the routes with such a name. */
  routes?: RegExp;
}

export interface FuzzResult {
  /** As sentences, each with the request. */
  problems: string[];
  /** How often each route gave each answer: status, or status and code. */
  answers: Map<string, Map<string, number>>;
  maxRssMb: number;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

const BATCH = 100;
const MAX_KNOWN = 200;
/** Their answers have the IDs of the own key and team. Nothing else could be asked once those are revoked or limited. */
const LISTS_OWN: ReadonlySet<FuzzRequest['route']> = new Set(['listKeys', 'listTeams', 'getTeam', 'listTeamKeys']);
const FORM_BOUNDARY = 'fuzz-boundary';
/** Answers that only an unexpected error gives. */
const UNEXPECTED = new Set(['UNKNOWN_ERROR', 'ANSWER_MISMATCH', 'MAP_FAILED']);

export async function runFuzz(service: RunningProgram, web: Web, options: FuzzOptions): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.parallel });
  const requests = fuzzRequests(web, options.routes);
  const known: string[] = [];
  const links: string[] = [];
  const result: FuzzResult = { problems: [], answers: new Map(), maxRssMb: 0 };

  const sendOne = async (wanted: FuzzRequest) => {
    const fuzz = withKnown(wanted, known, links);
    const answer = await send(service, agent, fuzz, options.hangMs).catch((error: Error) => error);
    const { label, problem } = judge(answer, fuzz.method);
    const counts = result.answers.get(fuzz.route) ?? new Map<string, number>();
    result.answers.set(fuzz.route, counts.set(label, (counts.get(label) ?? 0) + 1));
    if (problem) result.problems.push(`${problem}: ${JSON.stringify(fuzz).slice(0, 2_000)}`);
    if (answer instanceof Error) return;
    if (!LISTS_OWN.has(fuzz.route)) known.push(...idsIn(answer.text));
    known.splice(0, known.length - MAX_KNOWN);
    links.push(...(answer.text.slice(0, 5_000).match(/\/v2\/parse\/upload\/[^"]+/g) ?? []));
  };

  for (let sent = 0; sent < options.requests; sent += BATCH) {
    const queue = fc.sample(requests, { seed: options.seed + sent, numRuns: Math.min(BATCH, options.requests - sent) });
    const worker = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await sendOne(next);
    };
    await Promise.all(Array.from({ length: options.parallel }, worker));
    result.maxRssMb = Math.max(result.maxRssMb, await rssMb(service.pid));
  }
  agent.destroy();
  const health = await service.fetch('/v0/health/readiness').catch((error: Error) => error);
  if (health instanceof Error || health.status !== 200) result.problems.push('In the end, the service is not ready.');
  return result;
}

/** Puts an id of an earlier answer where `:known` stands, and sends uploads to links that were given out. */
function withKnown(fuzz: FuzzRequest, ids: string[], links: string[]): FuzzRequest {
  const fill = (text: string) => text.replaceAll(':known', ids[fuzz.known % ids.length] ?? 'x');
  const isUpload = fuzz.route === 'upload' && fuzz.path.includes(':known') && links.length > 0;
  const path = isUpload ? links[fuzz.known % links.length]! : fill(fuzz.path);
  return { ...fuzz, path, ...(fuzz.body && { body: { ...fuzz.body, text: fill(fuzz.body.text) } }) };
}

/** Ids of jobs, scrapes and uploads, for later requests. */
const idsIn = (text: string): string[] =>
  text
    .slice(0, 5_000)
    .match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g)
    ?.slice(0, 2) ?? [];

function judge(answer: Answer | Error, method: string): { label: string; problem?: string } {
  if (answer instanceof Error) return { label: answer.message, problem: answer.message };
  const { status, type, text } = answer;
  const isJson = type.startsWith('application/json');
  if (status < 400) return { label: String(status) };
  let code = '';
  try {
    if (isJson && text !== '') code = String((JSON.parse(text) as { code?: string }).code ?? '');
  } catch {
    return { label: `${status} broken JSON`, problem: `An answer with ${status} is not valid JSON` };
  }
  // Answers to HEAD have no body, and that of the readiness probe is not an error.
  const isNameless = status >= 500 && code === '' && method !== 'HEAD' && !text.includes('unavailable');
  const isOdd = UNEXPECTED.has(code) || isNameless;
  return {
    label: `${status} ${code}`,
    ...(isOdd && { problem: `Answered with ${status} ${code} ${text.slice(0, 300)}` }),
  };
}

function send(service: RunningProgram, agent: Agent, fuzz: FuzzRequest, hangMs: number): Promise<Answer> {
  const { method, body, path } = fuzz;
  const content = body && bytesOf(body);
  const headers: Record<string, string | number> = { authorization: `Bearer ${service.key}`, ...fuzz.headers };
  if (body) headers['content-type'] = body.file ? `multipart/form-data; boundary=${FORM_BOUNDARY}` : body.type;
  if (content) headers['content-length'] = content.length;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => sent.destroy(new Error('hangs')), hangMs);
    const done = (answer: Answer | Error) => {
      clearTimeout(late);
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
    };
    const sent = httpRequest(
      new URL(service.url),
      { method, path: path.replaceAll(/[^\x21-\x7e]/g, '?'), headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', done);
        response.on('end', () =>
          done({
            status: response.statusCode!,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', done);
    sent.end(content);
  });
}

function bytesOf({ text, file }: NonNullable<FuzzRequest['body']>): Buffer {
  if (!file) return Buffer.from(text);
  const part = (disposition: string, content: string) =>
    `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const parts = [part('name="options"', text), part(`name="file"; filename="${file.name}"`, file.content)];
  return Buffer.from(`${parts.join('')}--${FORM_BOUNDARY}--\r\n`, 'latin1');
}

async function rssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
