// An item of JSON-LD, microdata or RDFa as named values: every property by its path, and the properties of nested items.
import type { DataItem, DataValue } from '../../../page/structured-data.ts';
import { fieldName, nameWords, pathName } from './field-names.ts';
import { type FillScope, isItem, type NamedValues, type RawValue, type ScopeGroup } from './scope.ts';

const MAX_DEPTH = 4;
const MAX_VALUES = 2_000;
/** Properties that list name and value: the table of data of a product. */
const PROPERTY_LISTS = ['additionalProperty', 'amenityFeature', 'variesBy'];

/** Items that are named by `@id` elsewhere stand for the whole item. */
export type ById = ReadonlyMap<string, DataItem>;

export function itemScope(item: DataItem, byId: ById, weight = 1): FillScope {
  const byPath = new Map<string, { path: string[]; values: RawValue[] }>();
  const left = { count: MAX_VALUES };
  collect(item, [], byId, byPath, left);
  const named = [...byPath.values()].map(({ path, values }): NamedValues => {
    const { name, isKnown } = pathName(path);
    const isDeep = path.length > 1;
    return {
      name,
      values,
      weight: weight * (isKnown ? 1 : isDeep ? 0.7 : 0.9),
      ...(!isKnown && isDeep && { owner: nameWords(path.slice(0, -1).join(' ')) }),
    };
  });
  return { named: [...named, ...propertyLists(item, weight)], groups: () => nestedGroups(item, byId, weight) };
}

function collect(
  item: DataItem,
  path: string[],
  byId: ById,
  into: Map<string, { path: string[]; values: RawValue[] }>,
  left: { count: number },
): void {
  for (const [property, values] of Object.entries(item.properties)) {
    const at = [...path, property];
    const key = at.join('.');
    const entry = into.get(key) ?? { path: at, values: [] };
    into.set(key, entry);
    for (const given of values) {
      left.count -= 1;
      if (left.count < 0) return;
      const value = resolved(given, byId);
      entry.values.push({ value });
      if (isItem(value) && at.length < MAX_DEPTH) collect(value, at, byId, into, left);
    }
  }
}

/** A reference by `@id` alone becomes the item that it names. */
export function resolved(value: DataValue, byId: ById): DataValue {
  if (!isItem(value) || value.id === undefined || Object.keys(value.properties).length > 0) return value;
  return byId.get(value.id) ?? value;
}

function propertyLists(item: DataItem, weight: number): NamedValues[] {
  return PROPERTY_LISTS.flatMap((property) => item.properties[property] ?? [])
    .filter(isItem)
    .flatMap(({ properties }) => {
      const name = properties.name?.[0];
      const value = properties.value?.[0];
      if (typeof name !== 'string' || value === undefined) return [];
      return [{ name: fieldName(name), values: [{ value }], weight: weight * 0.95 }];
    });
}

function nestedGroups(item: DataItem, byId: ById, weight: number): ScopeGroup[] {
  return Object.entries(item.properties).flatMap(([property, values]) => {
    const items = values.map((value) => resolved(value, byId)).filter(isItem);
    if (items.length === 0) return [];
    const members = items.flatMap((each) => listMembers(each, byId) ?? [each]);
    return [
      {
        name: pathName([property]).name,
        scopes: members.map((each) => itemScope(each, byId, weight)),
        weight,
      },
    ];
  });
}

/** The members of an ItemList, BreadcrumbList or HowToSection, in their order. */
export function listMembers(item: DataItem, byId: ById): DataItem[] | undefined {
  const elements = item.properties.itemListElement;
  if (!elements) return undefined;
  return elements
    .map((element) => resolved(element, byId))
    .filter(isItem)
    .map((element) => {
      const inner = resolved(element.properties.item?.[0] ?? element, byId);
      // What the list says about the element (its position, a name) holds for the item as well.
      if (isItem(inner))
        return inner === element
          ? element
          : { ...inner, properties: { ...element.properties, ...withoutEmpty(inner) } };
      return { ...element, properties: { ...element.properties, url: [inner] } };
    });
}

const withoutEmpty = ({ properties, id }: DataItem): DataItem['properties'] => ({
  ...(id !== undefined && /^https?:/.test(id) && { url: [id] }),
  ...properties,
});
