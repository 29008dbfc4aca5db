// What a body may ask for that keys and teams are denied. Every route with such a field says in route-policy.ts whether it means
// the same there: a field that is forgotten, or that its schema renames, does not compile.

export interface Asked {
  url?: string | undefined;
  urls?: readonly string[] | undefined;
  targets?: readonly AskedTarget[] | undefined;
  formats?: readonly Typed[] | undefined;
  actions?: readonly Typed[] | undefined;
  scrapeOptions?: AskedOfPage | undefined;
  zeroDataRetention?: boolean | undefined;
  enterprise?: readonly string[] | undefined;
  threatProtection?: object | undefined;
  profile?: { saveChanges?: boolean | undefined } | undefined;
}

export type AskedOfPage = Pick<Asked, 'formats' | 'actions' | 'threatProtection' | 'profile'>;

/** Target of a monitor. */
interface AskedTarget extends Pick<Asked, 'url' | 'urls'> {
  type: string;
  scrapeOptions?: AskedOfPage | undefined;
}

interface Typed {
  type: string;
}

type Field = keyof Asked;
type FieldsOf<Body> = Body extends unknown ? Extract<keyof Body, Field> : never;
type ValueOf<Body, Name extends Field> = Body extends { [N in Name]?: infer Value } ? Value : never;

/** For each field that the body has: whether it asks for that. False where the same name means something else. */
export type Asks<Body> = {
  readonly [Name in FieldsOf<Body>]: [ValueOf<Body, Name>] extends [Asked[Name]] ? boolean : false;
};

export const readAsked = (body: unknown, asks: Partial<Record<Field, boolean>> = {}): Asked =>
  Object.fromEntries(
    Object.entries(asks).flatMap(([name, isAsked]) =>
      isAsked ? [[name, (body as Readonly<Record<string, unknown>>)[name]]] : [],
    ),
  );
