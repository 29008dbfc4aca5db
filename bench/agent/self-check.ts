// Whether the expected answers are right: every value must stand on the pages that the task names.
import { decodeHTML } from 'entities';
import type { Truth } from '../understand/labelled-page.ts';
import { findStatements, scoreAnswer } from './score-answer.ts';
import type { AgentTask, TaskPage, TaskSites } from './task.ts';

const DAY = /^(\d{4})-(\d{2})-(\d{2})/;

/** What is wrong with the tasks; empty if nothing is. */
export function checkTasks(tasks: readonly AgentTask[], sites: TaskSites): string[] {
  const names = tasks.map(({ name }) => name);
  const doubled = names.filter((name, at) => names.indexOf(name) !== at);
  return [
    ...doubled.map((name) => `${name}: two tasks have this name.`),
    ...tasks.flatMap((task) => check(task, sites)),
  ];
}

function check(task: AgentTask, sites: TaskSites): string[] {
  const found = task.pages.map((address) => ({ address, page: pageAt(address, sites) }));
  const missing = found.filter(({ page }) => page === undefined).map(({ address }) => `${address} is not a page`);
  const starts = (task.urls ?? [])
    .map((url) => url.replace(/^http:\/\//, ''))
    .filter((address) => !address.endsWith('*') && pageAt(address, sites) === undefined)
    .map((address) => `it starts at ${address}, which is not a page`);
  const text = found.map(({ page }) => (page === undefined ? '' : textOf(page))).join('\n');
  const wrong = leavesOf('', task.expected ?? task.statements ?? [])
    .filter(({ path }) => !task.derived?.includes(path))
    .filter(({ truth }) => !stands(truth, text))
    .map(({ path, truth }) => `${path} = ${JSON.stringify(truth)} does not stand there`);
  return [...missing, ...starts, ...wrong, ...checkScore(task)].map((problem) => `${task.name}: ${problem}.`);
}

/** The expected answer itself must count as right, whatever the order of its lists. */
function checkScore({ expected, statements }: AgentTask): string[] {
  const scores = expected
    ? scoreAnswer(expected, reversed(expected)).map(({ right }) => right)
    : findStatements(statements ?? [], statements).map(Number);
  return scores.some((right) => right < 1) ? ['its own answer does not count as right'] : [];
}

/** The truth as an answer, with its lists in the other order. */
function reversed(truth: Truth): unknown {
  if (Array.isArray(truth)) return truth.map(reversed).reverse();
  if (typeof truth !== 'object' || truth === null) return truth;
  if ('anyOf' in truth) return reversed((truth as { anyOf: Truth[] }).anyOf[0]!);
  return Object.fromEntries(Object.entries(truth).map(([name, one]) => [name, reversed(one as Truth)]));
}

function pageAt(address: string, sites: TaskSites): TaskPage | undefined {
  const slash = address.indexOf('/');
  return sites[address.slice(0, slash)]?.[address.slice(slash)];
}

/** Attributes are kept: values stand in them, too. */
function textOf(page: TaskPage): string {
  const content = typeof page === 'string' ? page : page.content;
  if (typeof content !== 'string')
    return squeezed(
      Buffer.from(content)
        .toString('latin1')
        .replace(/\\([()])/g, '$1'),
    );
  return `${squeezed(decodeHTML(content.replace(/<[^>]*>/g, ' ')))}\n${squeezed(decodeHTML(content))}`;
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ');

/** A path names no index, as in the scores: `jobs[].title`. */
function leavesOf(path: string, truth: Truth): { path: string; truth: Truth }[] {
  if (Array.isArray(truth)) return truth.flatMap((one) => leavesOf(`${path}[]`, one));
  if (typeof truth !== 'object' || truth === null || 'anyOf' in truth) return [{ path, truth }];
  return Object.entries(truth).flatMap(([name, one]) => leavesOf(path === '' ? name : `${path}.${name}`, one as Truth));
}

function stands(truth: Truth, text: string): boolean {
  if (truth === null) return true;
  if (typeof truth === 'number') return numbersOf(text).has(truth);
  if (typeof truth === 'boolean') return false;
  if (typeof truth === 'object') return (truth as { anyOf: Truth[] }).anyOf.some((one) => stands(one, text));
  const day = DAY.exec(truth);
  if (day) return text.includes(truth) || hasDay(text, day);
  return text.includes(squeezed(truth)) || text.includes(truth.replace(/^http:\/\/[^/]+/, ''));
}

/** The year and the day as numbers; months have too many names to look for. */
const hasDay = (text: string, [, year, , day]: RegExpExecArray): boolean =>
  new RegExp(`\\b${year}\\b`).test(text) && new RegExp(`\\b0?${Number(day)}(?:\\b|st|nd|rd|th|er)`).test(text);

/** Every number of the text, read both ways: with a point and with a comma before the decimals. */
function numbersOf(text: string): Set<number> {
  const plain = text.match(/\d(?:[\d.,]*\d)?/g) ?? [];
  const spaced = text.match(/\b\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?/g) ?? [];
  const written = [...plain, ...spaced.map((number) => number.replace(/[\s'’]/g, ''))];
  return new Set(
    written.flatMap((one) => [Number(one.replace(/,/g, '')), Number(one.replace(/\./g, '').replace(',', '.'))]),
  );
}
