// Everything that can be found without the token classifier, in one pass over the rules.
import { type Finding, MIN_SCORE, type RuleOptions } from './finding.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';

/** Sorted and disjoint. In mode `accurate` persons and places are left to the classifier. */
export function findByRules(text: string, options: RuleOptions): Finding[] {
  const found: Finding[] = [];
  const wanted = found.filter(
    ({ entity, score }) =>
      score >= MIN_SCORE[options.mode] && (options.entities === undefined || options.entities.includes(entity)),
  );
  return resolveOverlaps(text, wanted);
}
