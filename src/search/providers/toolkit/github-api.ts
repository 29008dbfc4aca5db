// Requests to GitHub's API.
import type { ProviderContext } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';
import { plainText, record } from './answer-fields.ts';
import { lockedOut } from './keyless.ts';

type Parameters = Record<string, string | number | undefined>;

/** Its answers name the passages that matched. */
export const askGithub = (path: string, parameters: Parameters, context: ProviderContext): Promise<unknown> =>
  context.ask.json(requestOf(path, 'application/vnd.github.text-match+json', parameters, context), context.signal);

/** A file as it is stored. */
export async function readGithubFile(path: string, context: ProviderContext): Promise<string> {
  const request = requestOf(path, 'application/vnd.github.raw+json', {}, context);
  return (await context.ask.text(request, context.signal)).text;
}

const requestOf = (path: string, accept: string, parameters: Parameters, { url, key }: ProviderContext) => ({
  url: `${url}${path}`,
  parameters,
  headers: {
    accept,
    'x-github-api-version': '2022-11-28',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  },
  problemOf: key === undefined ? lockedOut : limitProblem,
});

/** GitHub uses 403 both for an invalid key and for an exhausted rate limit. */
const limitProblem = (status: number, answer: unknown): ProblemKind | undefined =>
  status === 403 && /rate limit|abuse/i.test(plainText(record(answer).message)) ? 'quota' : undefined;
