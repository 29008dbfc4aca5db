// The caller's includePaths and excludePaths. They run on RE2 in linear time, so that no expression can stall the service.
import { RE2JS, RE2JSException } from 're2js';
import { type ErrorDetail, ServiceError } from '../../contracts/errors.ts';
import { withoutFragment } from './url-key.ts';

export interface PathRulesOptions {
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** Match expressions against the whole URL instead of its path. */
  regexOnFullURL: boolean;
}

export interface PathRules {
  /** True when an include matches (or there are none) and no exclude does. */
  allows(url: URL): boolean;
}

interface Rule {
  expression: RE2JS;
  /** The expression uses anchors or word boundaries, so the leading slash of a path can matter to it. */
  hasAnchor: boolean;
}

const MAX_EXPRESSIONS = 1_000;
const MAX_EXPRESSION_LENGTH = 1_000;
// Matching time is program size times text length, and repetition counts turn short expressions into large programs.
const MAX_PROGRAM = 2_000;
const MAX_PROGRAMS = 50_000;
const ANCHOR = /\^|\\[AbB]/;
// Tokens that can contain the syntax of a look-around or back-reference without being one: escapes and classes.
const TOKEN = /\\(?:k<|.)|\[(?:\\.|[^\]\\])*\]?|\(\?<?[=!]/gs;
const NOT_LINEAR = /^(?:\\(?:k<|[1-9])|\(\?)/;

export function compilePathRules(options: PathRulesOptions): PathRules {
  const budget = { left: MAX_PROGRAMS };
  const includes = compileAll('includePaths', options.includePaths, budget);
  const excludes = compileAll('excludePaths', options.excludePaths, budget);

  const matches = options.regexOnFullURL
    ? (rules: Rule[], url: URL) => matchesText(rules, withoutFragment(url))
    : (rules: Rule[], url: URL) => matchesPath(rules, url.pathname);

  return {
    allows: (url) =>
      (excludes.length === 0 || !matches(excludes, url)) && (includes.length === 0 || matches(includes, url)),
  };
}

const matchesText = (rules: Rule[], text: string) => rules.some(({ expression }) => expression.test(text));

/** People write both `^/blog/` and `^blog/` for the same path. */
function matchesPath(rules: Rule[], path: string): boolean {
  const bare = path.slice(1);
  return rules.some(({ expression, hasAnchor }) => expression.test(path) || (hasAnchor && expression.test(bare)));
}

function compileAll(field: string, sources: readonly string[], budget: { left: number }): Rule[] {
  if (sources.length > MAX_EXPRESSIONS) {
    throw refusal([{ code: 'too_big', path: [field], message: `At most ${MAX_EXPRESSIONS} expressions are allowed.` }]);
  }
  const rules: Rule[] = [];
  for (const [index, source] of sources.entries()) {
    // An empty expression would match everything; callers that send one mean no rule.
    if (source === '') continue;
    const rule = compile(source, budget);
    if (typeof rule !== 'string') rules.push(rule);
    else throw refusal([{ code: 'invalid_regex', path: [field, index], message: `${quote(source)}: ${rule}` }]);
  }
  return rules;
}

/** Returns an error text if the expression cannot be used. */
function compile(source: string, budget: { left: number }): Rule | string {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    return `The expression is longer than ${MAX_EXPRESSION_LENGTH} characters.`;
  }
  if (isNotLinear(source)) {
    return 'Look-around and back-references are not supported: expressions run in linear time (RE2 syntax).';
  }
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = expression.programSize();
    budget.left -= size;
    if (size > MAX_PROGRAM)
      return 'The expression is too large once its repetitions are expanded. Use smaller repetition counts.';
    if (budget.left < 0) return 'The expressions are too large in total. Use fewer or simpler ones.';
    return { expression, hasAnchor: ANCHOR.test(source) };
  } catch (error) {
    if (error instanceof RE2JSException) return `${error.message.replace(/^error parsing regexp: /, '')} (RE2 syntax).`;
    throw error;
  }
}

const isNotLinear = (source: string) => [...source.matchAll(TOKEN)].some(([token]) => NOT_LINEAR.test(token));

const quote = (source: string) => `\`${source.length > 100 ? `${source.slice(0, 100)}…` : source}\``;

const refusal = (details: ErrorDetail[]) => new ServiceError('BAD_REQUEST', { message: details[0]!.message, details });
