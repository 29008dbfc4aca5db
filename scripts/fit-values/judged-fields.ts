// The candidates of each field of a page, with what is known of them and whether they are right.
import type { Reading } from '../../src/encoders/reader/reading.ts';
import type { PageSource } from '../../src/page/understanding.ts';
import { askedName } from '../../src/understand/json/fill/asked-name.ts';
import { isJudged, judgedCandidates } from '../../src/understand/json/fill/judge/choose-value.ts';
import { createJudging } from '../../src/understand/json/fill/judge/judging.ts';
import { type Facts, factsOf } from '../../src/understand/json/fill/judge/score-value.ts';
import { pageScope } from '../../src/understand/json/fill/page-scope.ts';
import type { Filling } from '../../src/understand/json/fill/ranked.ts';
import { fieldOf } from '../../src/understand/json/schema/schema-field.ts';
import type { JsonSchema } from '../../src/understand/json/schema/subschemas.ts';
import { withOffer } from '../../src/understand/offer/offer-pairs.ts';
import { normal, tokenF1 } from './token-f1.ts';

export interface JudgedField {
  name: string;
  candidates: { facts: Facts; value: string; exact: number; f1: number }[];
}

export function judgedFields(
  source: PageSource,
  fields: Record<string, JsonSchema>,
  truth: Record<string, string[]>,
  readings: ReadonlyMap<string, Reading>,
): JudgedField[] {
  const context = { url: source.url, ...(source.language !== undefined && { language: source.language }) };
  const schema = { type: 'object', properties: fields };
  const asked = Object.entries(fields).map(([name, given]) => {
    const field = fieldOf(schema, given);
    return { field, name: askedName(name, field, []), above: [], path: name, depth: 1 };
  });
  const names = asked.map(({ name }) => name);
  const scope = pageScope(withOffer(source), names, { isList: false });
  const judging = createJudging(source, names, readings);
  const page = judging.page();
  const filling: Filling = { root: schema, context, origins: {}, left: 1_000, threshold: 0, judging };
  return asked
    .filter((each) => isJudged(filling, each))
    .map((each) => {
      const candidates = judgedCandidates(filling, each, scope);
      const reading = readings.get(each.path);
      const facts = factsOf(candidates, { asked: each, page, language: source.language, reading });
      const right = truth[each.path] ?? [];
      return {
        name: each.path,
        candidates: candidates.map(({ value }, at) => ({
          facts: facts[at]!,
          value: String(value),
          ...rightness(String(value), right),
        })),
      };
    });
}

function rightness(value: string, truth: readonly string[]): { exact: number; f1: number } {
  const said = normal(value);
  return {
    exact: Number(truth.some((each) => normal(each) === said)),
    f1: Math.max(0, ...truth.map((each) => tokenF1(each, value))),
  };
}
