// Names of a vocabulary without its address: https://schema.org/name, schema:name and aliases of a JSON-LD context are `name`.

const MAX_TERMS = 200;
const MAX_CONTEXTS = 50;
const IRI = /^https?:\/\//i;
const PREFIXED = /^([A-Za-z][\w-]{0,30}):(?!\/\/)(.{1,200})$/;
/** Prefixes that pages use without declaring them. */
const USUAL_PREFIXES = new Set(['schema', 'foaf', 'dc', 'dct', 'dcterms', 'gr', 'og', 'v', 'sioc', 'skos', 'product']);

/** The part of an address after its last / or #. */
export function localName(iri: string): string {
  const text = iri.trim().replace(/[#/]+$/, '');
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('#')) + 1);
}

/** A name or type as written in microdata or RDFa. */
export function plainName(written: string): string {
  if (IRI.test(written)) return localName(written);
  return PREFIXED.exec(written)?.[2] ?? written;
}

/** The terms that a JSON-LD context declares. */
export class Context {
  readonly #terms: ReadonlyMap<string, string>;

  private constructor(terms: ReadonlyMap<string, string>) {
    this.#terms = terms;
  }

  static readonly NONE = new Context(new Map());

  /** The context inside an object that has this `@context`. Remote contexts are not fetched. */
  extend(declared: unknown): Context {
    const terms = new Map<string, string>();
    const open = [declared].flat().slice(0, MAX_CONTEXTS);
    for (const context of open) {
      if (typeof context !== 'object' || context === null) continue;
      for (const [term, meaning] of Object.entries(context).slice(0, MAX_TERMS)) {
        const iri =
          typeof meaning === 'object' && meaning !== null ? (meaning as Record<string, unknown>)['@id'] : meaning;
        if (typeof iri === 'string' && iri.length < 500) terms.set(term, iri);
      }
    }
    return terms.size === 0 ? this : new Context(new Map([...this.#terms, ...terms].slice(-MAX_TERMS)));
  }

  /** `@type`, `@id` and so on for keywords and their aliases, else the name without its vocabulary. */
  name(written: string): string {
    if (written.startsWith('@')) return written;
    const meaning = this.#terms.get(written);
    // A prefix such as `schema` is not a name itself.
    const iri = meaning === undefined || /[#/]$/.test(meaning) ? written : meaning;
    if (iri.startsWith('@')) return iri;
    if (IRI.test(iri)) return localName(iri);
    const [, prefix, rest] = PREFIXED.exec(iri) ?? [];
    return prefix !== undefined && (this.#terms.has(prefix) || USUAL_PREFIXES.has(prefix)) ? plainName(rest!) : iri;
  }
}
