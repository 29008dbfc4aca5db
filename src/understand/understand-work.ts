// The jobs that understanding a page takes, as a page thread runs them. Each loads its code with its first call.
import { openSource } from '../page/understanding.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import type { Hosted } from '../runtime/threads/thread.ts';
import type { AgentWork } from './agent/check-result.ts';
import type { AnswerWork } from './answer/answer-work.ts';
import type { BrandingWork } from './branding/branding.ts';
import type { compareTexts as CompareTexts, Comparison } from './changes/compare-texts.ts';
import type { compareVersions as CompareVersions, VersionComparison } from './changes/compare-versions.ts';
import type { ChunkWork } from './chunks/chunk-work.ts';
import type { GatherWork } from './gather/gather-work.ts';
import type { GraphWork } from './graph/graph-work.ts';
import type { findInjection as FindInjection, InjectionScan } from './injection/find-injection.ts';
import type { JsonWork } from './json/json-work.ts';
import type { MenuWork } from './menu/menu-work.ts';
import type { PassageWork } from './passages/passage-work.ts';
import type { ProductWork } from './product/product-work.ts';

/** The jobs. All are pure: text and options in, values out. Errors keep only their `code` and message. */
export interface UnderstandWork {
  agent: AgentWork;
  answer: AnswerWork;
  branding: BrandingWork;
  chunks: ChunkWork;
  /** Compares a text with an earlier version of it. */
  compareTexts(...texts: Parameters<typeof CompareTexts>): Promise<Comparison>;
  /** Compares a watched page with its last version, and judges the changes by rules. */
  compareVersions(...versions: Parameters<typeof CompareVersions>): Promise<VersionComparison>;
  findInjection(...args: Parameters<typeof FindInjection>): Promise<InjectionScan>;
  json: JsonWork;
  passages: PassageWork;
  product: ProductWork;
  menu: MenuWork;
  graph: GraphWork;
  gather: GatherWork;
}

/** Port: threads that do the jobs. The default adapter is the pool of page threads. */
export interface UnderstandPool {
  /** The jobs, for this team and as long as the signal allows. */
  workFor(asker: Asker, signal: AbortSignal): UnderstandWork;
}

export const understandWork: Hosted<UnderstandWork> = {
  agent: {
    check: async (...args) => (await import('./agent/check-result.ts')).checkResult(...args),
    confirm: async (...args) => (await import('./agent/check-result.ts')).confirmResult(...args),
  },
  answer: {
    pick: async (...args) => (await import('./answer/pick-chunks.ts')).pickChunks(...args),
    prepare: async (...args) => (await import('./answer/pick-chunks.ts')).prepareChunks(...args),
    supported: async (...args) => (await import('./answer/check-sentences.ts')).supportedSentences(...args),
  },
  branding: {
    make: async (...args) => (await import('./branding/branding.ts')).brandingOf(...args),
    candidates: async (...args) => (await import('./branding/branding.ts')).brandCandidates(...args),
  },
  chunks: {
    make: async (...args) => (await import('./chunks/make-chunks.ts')).makeChunks(...args),
  },
  compareTexts: async (...texts) => (await import('./changes/compare-texts.ts')).compareTexts(...texts),
  compareVersions: async (...versions) => (await import('./changes/compare-versions.ts')).compareVersions(...versions),
  findInjection: async (...args) => (await import('./injection/find-injection.ts')).findInjection(...args),
  gather: {
    plan: async (...args) => (await import('./gather/task-words.ts')).planOf(...args),
    links: async (...args) => (await import('./gather/page-links.ts')).linksOf(...args),
    scoreLinks: async (...args) => (await import('./gather/relevance.ts')).scoreLinks(...args),
    scorePages: async (...args) => (await import('./gather/relevance.ts')).scorePages(...args),
    merge: async (...args) => (await import('./gather/merge.ts')).mergePages(...args),
    mergeFree: async (...args) => (await import('./gather/merge.ts')).mergeFree(...args),
    answer: async (...args) => (await import('./gather/find-answer.ts')).findAnswer(...args),
  },
  json: {
    schemaProblem: async (...args) => (await import('./json/schema/schema-problem.ts')).schemaProblem(...args),
    fill: async (schema, source, request) =>
      (await import('./json/json-work.ts')).fillSchema(schema, openSource(source), request),
    prepare: async (...args) => (await import('./json/json-work.ts')).prepareTask(...args),
    select: async (...args) => (await import('./json/program/select-by-programs.ts')).selectByPrograms(...args),
    outline: async (...args) => (await import('./json/program/page-template.ts')).outlinePage(...args),
    tryProgram: async (...args) => (await import('./json/program/select-by-programs.ts')).tryProgram(...args),
    finish: async (...args) => (await import('./json/json-work.ts')).finishAnswers(...args),
    describe: async (source) => (await import('./json/describe-page.ts')).describePage(openSource(source)),
  },
  passages: {
    answer: async (...args) => (await import('./passages/find-passages.ts')).answerPassages(...args),
    highlight: async (...args) => (await import('./passages/find-passages.ts')).highlightPassages(...args),
    summarise: async (...args) => (await import('./passages/summarise.ts')).summarySentences(...args),
    overview: async (source) => (await import('./overview/overview.ts')).findOverview(source),
    numberLines: async (...args) => (await import('./passages/numbered-lines.ts')).numberLines(...args),
  },
  product: {
    find: async (...args) => (await import('./product/product-work.ts')).productWork.find(...args),
    complete: async (...args) => (await import('./product/product-work.ts')).productWork.complete(...args),
  },
  menu: {
    find: async (...args) => (await import('./menu/menu-work.ts')).menuWork.find(...args),
    complete: async (...args) => (await import('./menu/menu-work.ts')).menuWork.complete(...args),
  },
  graph: {
    find: async (...args) => (await import('./graph/graph-work.ts')).graphWork.find(...args),
    read: async (...args) => (await import('./graph/graph-work.ts')).graphWork.read(...args),
  },
};
