// Writes schemas that several operations use once, as named components, with references in their places.
import type { ContractNames } from './contract-names.ts';
import { type Json, mapInner, type Step, shapeKey, splitAnnotations } from './json-schema.ts';

/** What an operation takes or answers: its schema is replaced. */
export interface Body {
  operationId: string;
  kind: 'Request' | 'Form' | 'Response';
  media: { schema: Json };
}

interface Use extends Step {
  parent: Shape | Body;
}

/** All schemas that are the same apart from their annotations. */
interface Shape {
  key: string;
  schema: Json;
  uses: Use[];
  /** Whether all uses say the same about it. */
  isAlike: boolean;
  /** Set if it becomes a component. */
  name?: string;
}

/** Shorter schemas are easier to read in their places. */
const MIN_CHARACTERS = 200;

/** Replaces the schemas of bodies, and returns the components that they refer to. */
export function shareSchemas(bodies: Body[], contracts: ContractNames, taken: string[]): Json {
  const shapes = shapesOf(bodies);
  const shared = [...shapes.values()].filter((shape) => isWorthAName(shape, contracts));
  nameShapes(shared, contracts, new Set(taken));

  const write = (schema: Json): Json => {
    const shape = shapes.get(shapeKey(schema));
    if (!shape?.name) return mapInner(schema, write);
    const $ref = `#/components/schemas/${shape.name}`;
    return shape.isAlike ? { $ref } : { $ref, ...splitAnnotations(schema).notes };
  };
  for (const { media } of bodies) media.schema = write(media.schema);
  const components = shared.map(({ name, schema, isAlike }): [string, Json] => [
    name!,
    mapInner(isAlike ? schema : splitAnnotations(schema).shape, write),
  ]);
  return Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shapesOf(bodies: Body[]): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const add = (schema: Json, use: Use): void => {
    const key = shapeKey(schema);
    const known = shapes.get(key);
    const shape = known ?? { key, schema, uses: [], isAlike: true };
    shapes.set(key, shape);
    shape.uses.push(use);
    shape.isAlike &&= JSON.stringify(schema) === JSON.stringify(shape.schema);
    if (known && canHaveName(schema)) return;
    mapInner(schema, (inner, step) => {
      add(inner, { parent: shape, ...step });
      return inner;
    });
  };
  for (const body of bodies) add(body.media.schema, { parent: body });
  return shapes;
}

const isBody = (parent: Shape | Body): parent is Body => 'media' in parent;

/** Lists and what may be null are written in their places: what they hold can have a name. */
const canHaveName = ({ type, anyOf, oneOf, enum: values }: Json): boolean =>
  type === 'object' ||
  values !== undefined ||
  ((oneOf ?? anyOf) !== undefined && !((oneOf ?? anyOf) as Json[]).some(({ type }) => type === 'null'));

function isWorthAName({ key, schema, uses }: Shape, contracts: ContractNames): boolean {
  if (!canHaveName(schema)) return false;
  const isLong = key.length >= MIN_CHARACTERS;
  return (
    (isLong && (uses.length > 1 || contracts.has(key))) ||
    (uses.length === 1 && schema.type === 'object' && isBody(uses[0]!.parent))
  );
}

/** By the contract that exports it, the operation whose body it is, or the property that it describes. */
function nameShapes(shapes: Shape[], contracts: ContractNames, taken: Set<string>): void {
  const give = (shape: Shape, names: string[]): void => {
    shape.name = names.find((each) => !taken.has(each));
    if (!shape.name) throw new Error(`Two schemas would be ${names.join(' or ')}. Export the contract of one of them.`);
    taken.add(shape.name);
  };
  const exported = shapes.filter(({ key }) => contracts.has(key));
  for (const shape of exported) {
    const names = contracts.get(shape.key)!.map(capital);
    const ofOperation = shape.uses.map(bodyName).find((name) => name && names.includes(name));
    give(shape, [ofOperation ?? names[0]!]);
  }
  // Schemas come before those in them, which may be named after them.
  for (const shape of shapes) if (!shape.name) give(shape, namesByUse(shape));
}

const bodyName = ({ parent }: Use): string | undefined =>
  isBody(parent) ? `${capital(parent.operationId)}${parent.kind}` : undefined;

/** The property alone if it is the same in several components, else after the component that it belongs to. */
function namesByUse({ schema, uses }: Shape): string[] {
  const body = bodyName(uses[0]!);
  if (body) return [body];
  const places = uses.flatMap(placesOf);
  const [{ owner, properties }] = places as [Place];
  const last = properties.at(-1);
  if (last === undefined) return [owner + typeOf(schema)];
  const isCommon =
    places.some((place) => place.owner !== owner) && places.every((place) => place.properties.at(-1) === last);
  const inOwner = owner.replace(/(?:Request|Form|Response)$/, '');
  return [...(isCommon ? [last] : []), inOwner + last, inOwner + properties.join('')];
}

interface Place {
  /** The name of the component or body around it. */
  owner: string;
  /** The names of the properties that lead to it from there. */
  properties: string[];
}

function placesOf(use: Use): Place[] {
  const { parent, property, isElement } = use;
  const own = property === undefined ? [] : [capital(property)];
  if (isBody(parent)) return [{ owner: bodyName(use)!, properties: own }];
  const outer = parent.name ? [{ owner: parent.name, properties: [] }] : parent.uses.flatMap(placesOf);
  return outer.map((place) => {
    const properties = [...place.properties, ...own];
    return { ...place, properties: isElement ? properties.map(singularAtEnd) : properties };
  });
}

/** One of several alternatives is told from the others by its `type`. */
const typeOf = ({ properties }: Json): string =>
  capital(String((properties as { type?: { const?: string } } | undefined)?.type?.const ?? 'element'));

const singularAtEnd = (word: string, at: number, all: string[]): string =>
  at < all.length - 1 ? word : word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
