// Words by which a page tells who works somewhere: roles, what teams are called, names of persons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';

const DATA = join(import.meta.dirname, '../../../data');
const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
/** Shorter ones stand at the end of too many other words. */
const LONG_ROLE = 5;
/** `Head of Studio, and of all that is burned in it`. */
export const LONGEST_ROLE = 90;

interface Words {
  roles: Record<string, string>;
  teams: Record<string, string>;
  labels: string;
}

const words = lazy(() => {
  const { roles, teams, labels } = JSON.parse(readFileSync(join(DATA, 'people-words.json'), 'utf8')) as Words;
  return { roles: setOf(roles), teams: setOf(teams), labels: new Set(labels.split(' ')) };
});
const givenNames = lazy(() => {
  const { given } = JSON.parse(readFileSync(join(DATA, 'person-names.json'), 'utf8')) as {
    given: Record<string, string>;
  };
  return setOf(given);
});
const longRoles = lazy(() => [...words().roles].filter(({ length }) => length >= LONG_ROLE));
const unspaced = lazy(() => ({
  roles: [...words().roles].filter((word) => UNSPACED.test(word)),
  teams: [...words().teams].filter((word) => UNSPACED.test(word)),
}));

const setOf = (lists: Record<string, string>): Set<string> =>
  new Set(Object.values(lists).flatMap((list) => list.split(' ')));

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** `Leiterin Vertrieb`, `Vertriebsleiterin`, `代表取締役`. */
export function isRole(text: string): boolean {
  if (text.length > LONGEST_ROLE || /[:：!?]/.test(text)) return false;
  if (UNSPACED.test(text)) return unspaced().roles.some((role) => text.includes(role));
  return wordsOf(text).some((word) => words().roles.has(word) || longRoles().some((role) => word.endsWith(role)));
}

/** Whether this is what people of an organisation are called: `Our team`, `Unser Team`. */
export const namesTeam = (text: string): boolean =>
  wordsOf(text).some((word) => words().teams.has(word)) || unspaced().teams.some((word) => text.includes(word));

/** What markup calls a role: `member position`. */
export const isRoleLabel = (label: string): boolean => wordsOf(label).some((word) => words().labels.has(word));

export const hasGivenName = (name: string): boolean =>
  (name.match(WORD) ?? []).some((word) => givenNames().has(word) || givenNames().has(word.split('-', 1)[0]!));
