// Redacts a page: finds values in all of its texts, and replaces them wherever they are written.
import type { RedactionOptions } from '../../contracts/scrape/redaction.ts';
import type { LabelledSpan } from '../../encoders/names/label-spans.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { findByRules } from '../find-by-rules.ts';
import { type Finding, MIN_SCORE } from '../finding.ts';
import { trimNames } from '../persons/name-edges.ts';
import { resolveOverlaps } from '../resolve-overlaps.ts';
import { applyEdits, type Edit, editsOf, movedOffset, type TextView } from '../views/text-view.ts';
import { KnownValues } from './known-values.ts';
import { PageTexts } from './page-texts.ts';
import { mapPage, type RedactablePage, type TextSyntax } from './redactable-page.ts';
import { createNameTest, dropUnlikelyWords } from './unlikely-words.ts';

/** The sentences of a page, for the classifier. Positions of its spans are those of this text. */
export const sentencesOf = (page: RedactablePage): string => textsOf(page).sentences();

/** `spans` are those of the classifier in `sentencesOf(page)`; none in mode `fast`. */
export function redactPage(
  page: RedactablePage,
  options: RedactionOptions,
  spans: readonly LabelledSpan[],
): RedactablePage {
  const texts = textsOf(page);
  const findIn = createFinder(page, texts, options, spans);
  const edited = new Map<string, Edit[]>();
  const editsFor = (text: string, kind: TextSyntax): Edit[] => {
    const key = `${kind} ${text}`;
    const made = edited.get(key);
    if (made) return made;
    const { views, cuts } = texts.viewsOf(text, kind);
    const edits = views.flatMap((view) => editsOf(view, findIn(view), options.replaceStyle));
    const sorted = [...edits, ...cuts].sort((a, b) => a.start - b.start);
    edited.set(key, sorted);
    return sorted;
  };
  return mapPage(page, {
    text: (text, kind) => applyEdits(text, editsFor(text, kind)),
    moved: (markdown, offset) => movedOffset(offset, editsFor(markdown, 'markdown')),
  });
}

/** What would be replaced in the Markdown, by positions in its view. */
export function findInMarkdown(
  page: RedactablePage,
  options: RedactionOptions,
  spans: readonly LabelledSpan[],
): Finding[] {
  const texts = textsOf(page);
  return createFinder(page, texts, options, spans)(texts.viewsOf(page.source.markdown, 'markdown').views[0]!);
}

type FindInView = (view: TextView) => Finding[];

/** Finds values where they were found first, and everywhere else on the page. */
function createFinder(
  page: RedactablePage,
  texts: PageTexts,
  options: RedactionOptions,
  spans: readonly LabelledSpan[],
): FindInView {
  const whole = texts.whole();
  const { mode, entities } = options;
  const rules = findByRules(whole, { mode, language: page.source.language, country: page.country });
  const named = spans.flatMap((span) => namedFinding(span, options));
  // Filtered last: an account number that is to stay must not be taken for a place.
  const isWanted = ({ entity }: Finding) => entities === undefined || entities.includes(entity);
  const language = (page.source.language ?? guessLanguage(whole)).slice(0, 2).toLowerCase();
  const all = trimNames(whole, resolveOverlaps(whole, [...rules, ...named]), language).filter(isWanted);
  const isLikely = mode === 'aggressive' ? () => true : createNameTest(whole, all);
  const found = dropUnlikelyWords(whole, all, isLikely);
  const known = new KnownValues(isLikely);
  for (const finding of found) known.add(whole, finding);
  const direct = texts.byView(found);
  return (view) => {
    const here = direct.get(view) ?? [];
    const again = withoutHeld(known.find(view.text), here);
    return trimNames(view.text, resolveOverlaps(view.text, [...here, ...again]), language);
  };
}

function textsOf(page: RedactablePage): PageTexts {
  const texts = new PageTexts();
  mapPage(page, {
    text(text, kind) {
      texts.viewsOf(text, kind);
      return text;
    },
    moved: (_markdown, offset) => offset,
  });
  return texts;
}

function namedFinding({ start, end, type, score }: LabelledSpan, { mode }: RedactionOptions): Finding[] {
  if (type === 'ORGANISATION' || score < MIN_SCORE[mode]) return [];
  return [{ start, end, entity: type, rule: 'classifier', score }];
}

/** Without findings that are inside of others, which say more about them. `others` are sorted and disjoint. */
function withoutHeld(findings: Finding[], others: readonly Finding[]): Finding[] {
  let at = 0;
  return findings
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while (at < others.length && others[at]!.end <= start) at += 1;
      const other = others[at];
      return !(other && other.start <= start && other.end >= end);
    });
}
