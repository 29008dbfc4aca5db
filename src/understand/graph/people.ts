// The people whom a page shows as cards or rows with a name and a role, as items like those of JSON-LD.
import type {
  DataItem,
  DataTable,
  DataValue,
  LabelledValue,
  PageRecord,
  StructuredData,
} from '../../page/structured-data.ts';
import type { PageSource } from '../../page/understanding.ts';
import { folded, hasType, itemsOf, nameOf } from '../data/item-values.ts';
import { pageTitles } from '../data/page-titles.ts';
import { hasGivenName, isRole, isRoleLabel, LONGEST_ROLE, namesTeam } from './people-words.ts';

const ORGANISATIONS = new Set(
  'Organization Corporation LocalBusiness NGO EducationalOrganization CollegeOrUniversity School GovernmentOrganization MedicalOrganization NewsMediaOrganization ResearchOrganization SportsOrganization PerformingGroup ProfessionalService LegalService Store Restaurant Hospital MedicalClinic Dentist'.split(
    ' ',
  ),
);
const TITLE = String.raw`(?:Dr|Prof|Mr|Mrs|Ms|Mx|Ing|Dipl|Herr|Frau|Mme|M|Sr|Sra|Dott|Drs|Ir|Mag)\.?-?`;
const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{M}'’.-]*`;
const PARTICLE = '(?:von|van|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|zu|y|bin|al|af|av)';
const NAME = new RegExp(
  `^(?:${TITLE} )*${NAME_WORD}(?: (?:${PARTICLE} )*${NAME_WORD}){1,4}(?:,? (?:Ph\\.?D|MD|M\\.?Sc|B\\.?Sc|MBA|M\\.?A|B\\.?A|LL\\.?M)\\.?)*$`,
  'u',
);
/** In scripts without capitals. Most such names have two to six letters. */
const SHORT_NAME =
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Katakana}\p{sc=Hiragana}]{1,6}[ 　・]?[\p{sc=Han}\p{sc=Hangul}\p{sc=Katakana}\p{sc=Hiragana}]{1,6}$/u;
/** `Anna Bauer – Studio lead`, `Anna Bauer, Studio lead`. */
const NAME_AND_ROLE = /^(.{3,60}?)\s*(?: [–—-] |[,|(])\s*(.+?)\)?$/u;
const MIN_PEOPLE = 2;
/** One card may be a call to apply, or have no role. */
const MOST = 0.6;
const MIN_KNOWN = 1 / 3;
const MAX_PEOPLE = 500;

interface Person {
  name: string;
  fields: readonly LabelledValue[];
  mail?: string;
  role?: string;
  href?: string;
}

/** With `worksFor` where the page calls them a team, and says whose. */
export function peopleOf(source: PageSource): DataItem[] {
  const { data } = source;
  if (!data) return [];
  const lists = [...data.records, ...data.tables.map(rowsAsRecords)];
  return lists.flatMap((records) => {
    const people = records.slice(0, MAX_PEOPLE).flatMap((record) => personOf(record) ?? []);
    if (people.length < Math.max(MIN_PEOPLE, records.length * MOST)) return [];
    if (people.filter(({ role }) => role !== undefined).length < people.length * MOST) return [];
    const isTeam = isCalledTeam(source, records);
    const isNear = isTeam || pageTitles(source).some(namesTeam);
    const known = people.filter(({ name }) => hasGivenName(name)).length;
    if (!isNear && known < people.length * MIN_KNOWN) return [];
    const employer = isTeam ? organisationOf(data) : undefined;
    return withRoles(people).map((person) => personItem(person, data, employer));
  });
}

const rowsAsRecords = ({ caption, section, rows }: DataTable): PageRecord[] =>
  rows.map((cells) => ({
    ...(cells[0] !== undefined && { title: cells[0] }),
    ...((caption ?? section) !== undefined && { section: `${caption ?? section}` }),
    fields: cells.slice(1).map((value) => ({ label: '', value })),
    text: cells.join(' '),
  }));

function personOf({ title, href, fields, text }: PageRecord): Person | undefined {
  const [, before = '', after = ''] = NAME_AND_ROLE.exec(title ?? '') ?? [];
  const beside = isName(before) && isRole(after) ? { name: before, role: after } : undefined;
  const name = beside?.name ?? [title, ...fields.map(({ value }) => value)].find((value) => isName(value ?? ''));
  if (name === undefined) return undefined;
  const role = beside?.role ?? roleIn(fields, text, name);
  const mail = fields.find((field) => field.href?.startsWith('mailto:'))?.value;
  return {
    name,
    fields,
    ...(role !== undefined && { role }),
    ...(href?.startsWith('http') && { href }),
    ...(mail?.includes('@') && { mail }),
  };
}

/** Under a label, else what is written like one. Lines count that have no element of their own. */
function roleIn(fields: readonly LabelledValue[], text: string, name: string): string | undefined {
  const labelled = fields.find(({ label, value }, at) => {
    const isBelow = isRoleLabel(fields[at - 1]?.value ?? '') && fields[at - 1]!.label !== label;
    return (isBelow || isRoleLabel(label)) && !value.includes(name);
  });
  if (labelled) return labelled.value;
  const others = [...fields.map(({ value }) => value), ...text.split('\n').map((line) => line.trim())];
  return others.find((value) => isRole(value) && !value.includes(name));
}

/** Most roles stand in the same part of a card; what the others have there is their role, in whatever words. */
function withRoles(people: readonly Person[]): Person[] {
  const counts = new Map<string, number>();
  const labelOf = ({ fields, role }: Person) => fields.find(({ value }) => value === role)?.label;
  for (const label of people.map(labelOf)) if (label) counts.set(label, (counts.get(label) ?? 0) + 1);
  const [part] = [...counts].find(([, count]) => count >= people.length * MOST) ?? [];
  return people.map((person) => {
    const role = person.fields.find(({ label, value }) => label === part && value !== person.name)?.value;
    return person.role !== undefined || role === undefined || role.length > LONGEST_ROLE ? person : { ...person, role };
  });
}

/** A job is no name, though vacancies are written like one. */
const isName = (text: string): boolean => (NAME.test(text) || SHORT_NAME.test(text)) && !isRole(text);

/** By the heading above them, which may be that of the page. Below another one they may be customers. */
const isCalledTeam = (source: PageSource, [first]: readonly PageRecord[]): boolean =>
  first?.section !== undefined && !pageTitles(source).includes(first.section)
    ? namesTeam(first.section)
    : pageTitles(source).some(namesTeam);

/** The one that the page names; undefined if it names several. */
function organisationOf({ items, meta }: StructuredData): DataItem | undefined {
  const stated = items
    .flatMap((item) => [item, ...itemsOf(item, 'publisher', 'about', 'mainEntity', 'isPartOf')])
    .filter((item) => hasType(item, ORGANISATIONS) && nameOf(item) !== undefined);
  const names = new Set(stated.map((item) => folded(nameOf(item)!)));
  if (names.size === 1) return stated[0];
  const site = meta['og:site_name'];
  if (site === undefined) return undefined;
  return (
    stated.find((item) => folded(nameOf(item)!) === folded(site)) ??
    (names.size === 0 ? itemOf('Organization', { name: [site] }) : undefined)
  );
}

/** Under the ID that the data of the page has for the same person. */
function personItem({ name, role, href, mail }: Person, { items }: StructuredData, employer?: DataItem): DataItem {
  const known = items.find((item) => item.types.includes('Person') && folded(nameOf(item) ?? '') === folded(name));
  return {
    ...itemOf('Person', {
      name: [known ? nameOf(known)! : name],
      ...(role !== undefined && { jobTitle: [role] }),
      ...(mail !== undefined && { email: [mail] }),
      ...(href !== undefined && { url: [href] }),
      ...(employer && { worksFor: [employer] }),
    }),
    ...(known?.id !== undefined && { id: known.id }),
  };
}

const itemOf = (type: string, properties: Record<string, DataValue[]>): DataItem => ({
  syntax: 'microdata',
  types: [type],
  properties,
});
