// The caller's includePaths and excludePaths. They run on RE2 in linear time and within a budget, but even a single match
// may take a third of a second: they belong into the thread of link-rules.ts.
import { RE2JS, RE2JSException } from 're2js';
import { type ErrorDetail, ServiceError } from '../../contracts/errors/errors.ts';
import { UNLIMITED, type WorkBudget } from '../../util/work-budget.ts';
import { withoutFragment } from './url-key.ts';

export interface PathRulesOptions {
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** Match expressions against the whole URL instead of its path. */
  regexOnFullURL: boolean;
}

export interface PathRules {
  /** True when an include matches (or there are none) and no exclude does. Undefined if that costs too much. */
  allows(url: URL, budget?: WorkBudget): boolean | undefined;
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
/** Longer paths and URLs are not matched. */
export const MAX_TEXT = 2_048;
const ANCHOR = /\^|\\[AbB]/;
// Tokens that can contain the syntax of a look-around or back-reference without being one: escapes and classes.
const TOKEN = /\\(?:k<|.)|\[(?:\\.|[^\]\\])*\]?|\(\?<?[=!]/gs;
const NOT_LINEAR = /^(?:\\(?:k<|[1-9])|\(\?)/;

export function compilePathRules(options: PathRulesOptions): PathRules {
  const budget = { left: MAX_PROGRAMS };
  const includes = compileAll('includePaths', options.includePaths, budget);
  const excludes = compileAll('excludePaths', options.excludePaths, budget);

  const { regexOnFullURL } = options;

  return {
    allows(url, budget = UNLIMITED) {
      if (excludes.length + includes.length === 0) return true;
      const text = regexOnFullURL ? withoutFragment(url) : url.pathname;
      if (text.length > MAX_TEXT) return undefined;
      // People write both `^/blog/` and `^blog/` for the same path.
      const bare = regexOnFullURL ? undefined : text.slice(1);
      const isExcluded = matchesAny(excludes, text, bare, budget);
      if (isExcluded !== false) return isExcluded && false;
      return includes.length === 0 || matchesAny(includes, text, bare, budget);
    },
  };
}

/** Undefined if the budget is spent before an expression matches. */
function matchesAny(rules: Rule[], text: string, bare: string | undefined, budget: WorkBudget): boolean | undefined {
  for (const { expression, hasAnchor } of rules) {
    if (budget.isSpent()) return undefined;
    if (expression.test(text) || (hasAnchor && bare !== undefined && expression.test(bare))) return true;
  }
  return false;
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
