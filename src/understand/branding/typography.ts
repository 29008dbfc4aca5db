// The fonts of a page and what each is for, by how much text is set in them.
import type { Branding } from '../../contracts/formats/branding.ts';
import type { PageStyles, StyledText } from '../../page/page-styles.ts';

type Font = NonNullable<Branding['fonts']>[number];
type Typography = NonNullable<Branding['typography']>;

const GENERIC =
  /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-serif|ui-sans-serif|ui-monospace|ui-rounded|math|emoji|inherit|initial|-apple-system|BlinkMacSystemFont)$/i;
const MAX_FONTS = 8;
/** Families with less of the text are icons, logos or accidents. */
const MIN_SHARE = 0.01;
const HEADINGS = ['h1', 'h2', 'h3'] as const;

export function typographyOf({ texts }: PageStyles): { fonts: Font[]; typography: Typography } {
  const headings = texts.filter(({ role }) => /^h\d|heading/.test(role));
  const ofRole = (role: string) => texts.filter((text) => text.role === role);
  const body = ofRole('body').length > 0 ? ofRole('body') : texts;
  const [bodyStack, headingStack, codeStack] = [body, headings, ofRole('code')].map((list) => most(list, 'family'));
  const bodySize = most(body, 'size');
  const smallTexts = [...ofRole('small'), ...body].filter(({ size }) => px(size) < px(bodySize ?? ''));
  const sizes = {
    ...Object.fromEntries(HEADINGS.map((level) => [level, most(ofRole(level), 'size')])),
    body: bodySize,
    small: most(smallTexts, 'size'),
  };
  const families = {
    primary: nameOf(bodyStack),
    heading: nameOf(headingStack),
    code: nameOf(codeStack),
  };
  const stacks = {
    primary: stackOf(bodyStack),
    heading: stackOf(headingStack),
    body: stackOf(bodyStack),
    paragraph: stackOf(bodyStack),
  };
  const typography = {
    fontFamilies: present(families),
    fontStacks: present(stacks),
    fontSizes: present(sizes),
    lineHeights: present({ heading: lineHeight(headings), body: lineHeight(body) }),
    fontWeights: weightsOf(texts, body, ofRole),
  };
  return { fonts: fontsOf(texts, families), typography: present(typography, isFilled) };
}

const isFilled = (value: object) => Object.keys(value).length > 0;

function fontsOf(
  texts: readonly StyledText[],
  families: { primary?: string; heading?: string; code?: string },
): Font[] {
  const total = texts.reduce((sum, { characters }) => sum + characters, 0);
  const used = new Map<string, number>();
  for (const { family, characters } of texts) {
    const name = nameOf(family);
    if (name) used.set(name, (used.get(name) ?? 0) + characters);
  }
  const roles = [
    [families.code, 'code'],
    [families.heading, 'heading'],
    [families.primary, 'body'],
  ] as const;
  const roleOf = new Map(roles);
  return [...used]
    .filter(([name, characters]) => characters >= total * MIN_SHARE || roleOf.has(name))
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_FONTS)
    .map(([family]) => ({ family, ...(roleOf.has(family) && { role: roleOf.get(family)! }) }));
}

function weightsOf(
  texts: readonly StyledText[],
  body: readonly StyledText[],
  ofRole: (role: string) => StyledText[],
): Record<string, number> {
  const between = (from: number, to: number) =>
    number(
      most(
        texts.filter(({ weight }) => Number(weight) >= from && Number(weight) <= to),
        'weight',
      ),
    );
  return present({
    light: between(100, 300),
    regular: between(350, 450),
    medium: between(500, 500),
    bold: between(600, 900),
    h1: number(most(ofRole('h1'), 'weight')),
    h2: number(most(ofRole('h2'), 'weight')),
    body: number(most(body, 'weight')),
  });
}

/** The value that most of the text has. */
function most(texts: readonly StyledText[], property: 'family' | 'size' | 'weight' | 'lineHeight'): string | undefined {
  const sums = new Map<string, number>();
  for (const text of texts) sums.set(text[property], (sums.get(text[property]) ?? 0) + text.characters);
  return [...sums].sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** As a multiple of the font size. */
function lineHeight(texts: readonly StyledText[]): number | undefined {
  const [size, height] = [most(texts, 'size'), most(texts, 'lineHeight')].map((value) => px(value ?? ''));
  const typical = texts.find((text) => px(text.size) === size && px(text.lineHeight) > 0);
  const ratio = typical ? px(typical.lineHeight) / px(typical.size) : height! / size!;
  return Number.isFinite(ratio) && ratio > 0 ? Math.round(ratio * 100) / 100 : undefined;
}

const px = (value: string): number => Number.parseFloat(value);
const number = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** The first family of a stack that is a font, without the marks that bundlers add. */
const nameOf = (stack: string | undefined): string | undefined =>
  stack === undefined ? undefined : (stackOf(stack)?.find((name) => !GENERIC.test(name)) ?? stackOf(stack)?.[0]);

function stackOf(stack: string | undefined): string[] | undefined {
  const names = (stack ?? '').match(/"[^"]*"|'[^']*'|[^,"']+/g) ?? [];
  const clean = names.map((name) => cleanName(name)).filter((name) => name !== '');
  return clean.length > 0 ? [...new Set(clean)].slice(0, 12) : undefined;
}

/** `__Inter_Fallback_a1b2c3` is what a bundler calls the stand-in of Inter. */
function cleanName(name: string): string {
  const plain = name
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim()
    .slice(0, 80);
  if (/fallback/i.test(plain)) return '';
  const bundled = /^__(.+)_[0-9a-f]{5,8}$/.exec(plain);
  return bundled ? bundled[1]!.replaceAll('_', ' ') : plain;
}

const present = <T>(values: Record<string, T | undefined>, isWanted: (value: T) => boolean = () => true) =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined && isWanted(entry[1])),
  );
