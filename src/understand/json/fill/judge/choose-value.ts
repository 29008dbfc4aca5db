// Decides which value a field gets: the likeliest of the candidates, if it is certain enough.
import { fieldQuestion } from '../../../reading/field-question.ts';
import type { SchemaField } from '../../schema/schema-field.ts';
import type { FieldName } from '../field-names.ts';
import type { Filling, RequestedField } from '../ranked.ts';
import type { FillScope } from '../scope.ts';
import { type Candidate, isNamedWhole, ruleCandidates, withReading } from './candidates.ts';
import { scoreValues } from './score-value.ts';

/** Running texts, links, and parts of addresses are found by rules alone: no span of the text is their value. */
const UNJUDGED =
  'description body subtitle image logo url language currency availability city postalCode street region country'.split(
    ' ',
  );
const MAX_PLACES = 40;
/** Rules that are this certain need no reader. */
const CERTAIN = 0.85;

/** Fields of the page itself; those of rows are filled by rules alone. */
export function isJudged({ judging }: Filling, { field, name }: RequestedField): boolean {
  const isPlain = field.kind === 'string' ? field.format === undefined || field.format === 'date' : isNumeric(field);
  return judging !== undefined && isPlain && field.choices === undefined && !isUnjudged(name);
}

const isNumeric = ({ kind }: SchemaField): boolean => kind === 'number' || kind === 'integer';
function isUnjudged({ concepts }: FieldName): boolean {
  const [best] = [...concepts].sort(([, a], [, b]) => b - a);
  return best !== undefined && (UNJUDGED.includes(best[0]) || best[0].endsWith(' link'));
}

export interface ChosenValue {
  value: string | number;
  text: string;
  confidence: number;
}

/** Asks for the reader where the rules are not certain. The caller decides whether it is certain enough. */
export function chooseValue(filling: Filling, asked: RequestedField, scope: FillScope): ChosenValue | undefined {
  const candidates = judgedCandidates(filling, asked, scope);
  const { readings, questions } = filling.judging!;
  const reading = readings.get(asked.path);
  const page = filling.judging!.page();
  const scores = scoreValues(candidates, { asked, page, language: filling.context.language, reading });
  const at = scores.indexOf(Math.max(...scores));
  const confidence = scores[at] ?? 0;
  if (!reading && confidence < CERTAIN) {
    const places = candidates.flatMap((each) => each.places).slice(0, MAX_PLACES);
    questions.push({ path: asked.path, question: fieldQuestion(asked.path, asked.field.words), places, confidence });
  }
  const best = candidates[at];
  return best && { value: best.value, text: best.text, confidence };
}

export function judgedCandidates(filling: Filling, asked: RequestedField, scope: FillScope): Candidate[] {
  const page = filling.judging!.page();
  const reading = filling.judging!.readings.get(asked.path);
  const found = ruleCandidates(filling, asked, scope).filter((each) => isNamedWhole(asked, each, page));
  return reading ? withReading(found, reading, filling, asked) : found;
}
