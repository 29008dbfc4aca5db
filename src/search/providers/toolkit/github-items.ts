// Issues, pull requests, READMEs and skill files of GitHub with what they say, for searches that ask for code.
import type { CodeFilter, CodeItem, CodeKind, CodeLicense } from '../../../contracts/search/code-item.ts';
import type { ProviderAnswer, ProviderContext, ProviderQuery, ProviderResult } from '../provider.ts';
import { ProviderProblem } from '../provider-problem.ts';
import { httpUrl, list, plainText, positive, record } from './answer-fields.ts';
import { expectMember } from './answer-problem.ts';
import { askGithub, readGithubFile } from './github-api.ts';
import { NO_RESULTS } from './request-values.ts';
import { contentWords, wordingOf } from './wording.ts';

const MAX_COUNT = 100;
const MAX_RESULTS = 1_000;
const MAX_BODY = 50_000;
/** GitHub wants all words to match, and cuts longer queries off. */
const MAX_WORDS = 8;
const MAX_QUERY = 250;
/** If nothing contains all words, the longest ones are tried alone, because they are the most specific. */
const FEW_WORDS = 3;
/** Each README is a request of its own; without a key GitHub allows sixty an hour. */
const READMES = { withKey: 20, keyless: 5 };
const NO_FILES = 'it searches files only for those who have a key (TRAWL_GITHUB_API_KEY)';
const REPO = /^[\w-][\w.-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/;

const PATHS: Readonly<Record<Exclude<CodeKind, 'repository'>, string>> = {
  issue: 'issues',
  pull_request: 'issues',
  readme: 'repositories',
  skill: 'code',
};

export async function searchItems(
  filter: CodeFilter,
  question: ProviderQuery,
  context: ProviderContext,
): Promise<ProviderAnswer> {
  const { kind } = filter;
  if (kind === 'repository') return readRepository(filter, context);
  if (kind === 'skill' && context.key === undefined) throw new ProviderProblem('refused', NO_FILES);
  const words = contentWords(wordingOf(question.query).words);
  const [all, few] = [words.slice(0, MAX_WORDS), words.toSorted((a, b) => b.length - a.length).slice(0, FEW_WORDS)];
  const first = await searchOnce(kind, all, filter, question, context);
  const isEmpty = first.results.length === 0 && question.page === 0 && few.length < all.length;
  const found = isEmpty ? await searchOnce(kind, few, filter, question, context) : first;
  if (kind === 'readme') await addReadmes(found.results, context);
  return found;
}

async function searchOnce(
  kind: Exclude<CodeKind, 'repository'>,
  words: readonly string[],
  filter: CodeFilter,
  { count, page }: ProviderQuery,
  context: ProviderContext,
): Promise<ProviderAnswer> {
  const size = Math.min(count, MAX_COUNT);
  if (words.length === 0 || page * size >= MAX_RESULTS) return NO_RESULTS;
  const text = words.map(bare).join(' ').slice(0, MAX_QUERY);
  const q = [text, ...qualifiersOf(filter)].join(' ');
  const answer = await askGithub(`/search/${PATHS[kind]}`, { q, per_page: size, page: page + 1 }, context);
  const found = expectMember(answer, 'items');
  return {
    results: list(found.items).flatMap((item) => readItem(kind, record(item)) ?? []),
    hasMore: (page + 1) * size < Math.min(positive(found.total_count) ?? 0, MAX_RESULTS),
  };
}

/** Signs of GitHub's own syntax would change the question. */
const bare = (word: string): string => word.replace(/[":<>()]/g, ' ').trim();
const quoted = (value: string): string => `"${value.replace(/["\\]/g, '')}"`;

/** GitHub knows topics, licences, stars and forks of repositories only. */
function qualifiersOf({ kind, repos, language, archived, ...filter }: CodeFilter): string[] {
  const common = repos.filter((repo) => REPO.test(repo)).map((repo) => `repo:${repo}`);
  if (language !== undefined) common.push(`language:${quoted(language)}`);
  if (kind === 'skill') return [...common, 'filename:SKILL.md'];
  if (archived !== undefined) common.push(`archived:${archived}`);
  if (kind === 'issue') return [...common, 'is:issue'];
  if (kind === 'pull_request') return [...common, 'is:pr', 'is:merged'];
  const { topics, license, minStars, maxStars, fork } = filter;
  return [
    'in:name,description,topics,readme',
    ...common,
    ...topics.map((topic) => `topic:${quoted(topic)}`),
    ...(license === undefined ? [] : [`license:${quoted(license.toLowerCase())}`]),
    ...(minStars === undefined && maxStars === undefined ? [] : [`stars:${minStars ?? '*'}..${maxStars ?? '*'}`]),
    ...(fork === true ? ['fork:only'] : []),
  ];
}

function readItem(kind: CodeKind, item: Record<string, unknown>): ProviderResult | undefined {
  const url = httpUrl(item.html_url);
  const code = url === undefined ? undefined : codeItem(kind, item, url);
  if (url === undefined || !code || !REPO.test(code.repo)) return undefined;
  const title = kind === 'issue' || kind === 'pull_request' ? item.title : (code.path ?? code.repo);
  return { url, title: plainText(title), description: plainText(code.body, 500), code };
}

function codeItem(kind: CodeKind, item: Record<string, unknown>, url: string): CodeItem | undefined {
  if (kind === 'issue' || kind === 'pull_request') {
    const [, repo, number] = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d{1,9})$/.exec(url) ?? [];
    return repo === undefined ? undefined : { kind, repo, number: Number(number), body: markdown(item.body) };
  }
  if (kind === 'skill') {
    const matches = list(item.text_matches).map((match) => markdown(record(match).fragment));
    return {
      kind,
      repo: plainText(record(item.repository).full_name),
      path: plainText(item.path),
      body: matches.join('\n\n'),
    };
  }
  return {
    kind,
    repo: plainText(item.full_name),
    body: plainText(item.description, MAX_BODY),
    license: licenseOf(item.license),
    hasIssues: item.has_issues === true,
  };
}

/** GitHub says NOASSERTION of licences that it does not recognise. */
function licenseOf(license: unknown): CodeLicense {
  if (license === null) return { state: 'known_absent', spdx_id: null };
  const id = plainText(record(license).spdx_id, 100);
  return id === '' || id === 'NOASSERTION' ? { state: 'unknown', spdx_id: null } : { state: 'licensed', spdx_id: id };
}

/** Lines are kept, because they carry the meaning of Markdown. */
const markdown = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_BODY).toWellFormed().replaceAll('\0', '').trim() : '';

async function readRepository({ repos }: CodeFilter, context: ProviderContext): Promise<ProviderAnswer> {
  const [repo = ''] = repos;
  if (!REPO.test(repo)) return NO_RESULTS;
  const found = expectMember(await askGithub(`/repos/${repo}`, {}, context), 'full_name');
  return { results: [readItem('repository', found) ?? []].flat(), hasMore: false };
}

/** Replaces descriptions by READMEs. Those that cannot be read stay as they are. */
async function addReadmes(results: ProviderResult[], context: ProviderContext): Promise<void> {
  const count = context.key === undefined ? READMES.keyless : READMES.withKey;
  const items = results.slice(0, count).flatMap(({ code }) => code ?? []);
  await Promise.allSettled(
    items.map(async (item) => {
      const readme = markdown(await readGithubFile(`/repos/${item.repo}/readme`, context));
      if (readme !== '') item.body = readme;
    }),
  );
}
