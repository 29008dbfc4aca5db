// Maps mathematical characters to TeX, for OMML and MathML.

/** Parses pairs of a character and its command. */
const commands = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((pair) => [[...pair][0]!, `\\${[...pair].slice(1).join('')}`]));

const ACCENTS = commands(
  '\u0302hat \u0303tilde \u0304bar \u0305overline \u0307dot \u0308ddot \u20d7vec ^hat ~tilde ˆhat ˜tilde ¯bar ‾bar ―bar →vec ⃗vec ˙dot ¨ddot ˇcheck ˘breve ´acute `grave ∼tilde',
);
/** The same over more than one sign. */
const WIDE_ACCENTS: Readonly<Record<string, string>> = {
  '\\hat': '\\widehat',
  '\\tilde': '\\widetilde',
  '\\bar': '\\overline',
  '\\vec': '\\overrightarrow',
};
/** Signs that stretch over or under what they stand at. */
const STRETCHED = commands('⏞overbrace ⏟underbrace ⎴overbracket ⎵underbracket ̲underline _underline');
const SYMBOLS = commands(
  '∞infty ≤le ≥ge ≠ne ≈approx ≡equiv ±pm ∓mp ×times ÷div ⋅cdot ·cdot →to ←leftarrow ⇒Rightarrow ⇔Leftrightarrow ↔leftrightarrow ⟶longrightarrow ⟹implies ⟺iff ↦mapsto ↑uparrow ↓downarrow ⇐Leftarrow ' +
    '∝propto ≪ll ≫gg ≃simeq ≅cong ≺prec ≻succ ∼sim ∣mid ∥parallel ‖| ⊥perp ∠angle ∘circ ∗ast ⋆star †dagger ‡ddagger ⊕oplus ⊗otimes ⊖ominus ⊙odot ∴therefore ∵because ℓell ℏhbar ℜRe ℑIm ℵaleph ⟨langle ⟩rangle ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil ' +
    '∈in ∉notin ∋ni ⊂subset ⊆subseteq ⊃supset ⊇supseteq ∖setminus ∪cup ∩cap ∅emptyset ∧wedge ∨vee ¬neg ∀forall ∃exists ∂partial ∇nabla …dots ⋯cdots ⋮vdots ⋱ddots ∫int ∑sum ∏prod ∐coprod ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap ⋁bigvee ⋀bigwedge √surd ' +
    'αalpha βbeta γgamma δdelta εvarepsilon ϵepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma τtau ' +
    'υupsilon φvarphi ϕphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega ' +
    'ℝmathbb{R} ℕmathbb{N} ℤmathbb{Z} ℚmathbb{Q} ℂmathbb{C} ~sim \\backslash %% ## && $$ __ {{ }} \u2009, \u2003quad',
);
const LARGE = new Set('∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂⨀');
const FUNCTIONS = new Set(
  'sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log lg ln exp lim limsup liminf max min sup inf det dim gcd arg deg hom ker Pr'.split(
    ' ',
  ),
);

/** Separates a command from letters that follow it. */
export function joinTex(parts: readonly string[]): string {
  let tex = '';
  let before = '';
  for (const part of parts) {
    tex += /\\[A-Za-z]+$/.test(before) && /^[A-Za-z]/.test(part) ? ` ${part}` : part;
    if (part !== '') before = part;
  }
  return tex;
}

/** Adds braces unless it is a single character or command. */
export const group = (tex: string): string => (/^(?:[^\\]|\\[A-Za-z]+)?$/u.test(tex) ? tex : `{${tex}}`);

export const symbolsToTex = (text: string): string => joinTex([...text.replace(INVISIBLE, '')].map(symbolToTex));

/** The name of a function or of a quantity with more than one letter, upright as it is set. */
export function nameTex(name: string): string {
  return /^\p{L}{2,}$/u.test(name) && /^[A-Za-z]+$/.test(name) ? `\\operatorname{${name}}` : symbolsToTex(name);
}

const ALPHABETS: Readonly<Record<string, string>> = {
  bold: 'mathbf',
  'bold-italic': 'boldsymbol',
  'double-struck': 'mathbb',
  script: 'mathcal',
  'bold-script': 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
  normal: 'mathrm',
};

/** Letters in the alphabet that MathML calls `variant`. */
export function alphabetTex(variant: string | undefined, tex: string): string {
  if (variant === undefined || !Object.hasOwn(ALPHABETS, variant) || tex === '') return tex;
  const isUpright = variant === 'normal' && !/^[A-Za-z]+$/.test(tex);
  return isUpright ? tex : `\\${ALPHABETS[variant]}{${tex}}`;
}

// Function application, invisible times and the like.
const INVISIBLE = /[\u2061-\u2064\u200b\ufeff]/g;
const PRIMES: Readonly<Record<string, string>> = { '′': "'", '″': "''", '‴': "'''", '’': "'" };

function symbolToTex(character: string): string {
  // Word uses the mathematical alphanumeric code points for italic, bold and script letters.
  const plain = SYMBOLS.has(character) ? character : character.normalize('NFKC');
  const prime = PRIMES[character];
  if (prime !== undefined) return prime;
  return SYMBOLS.get(plain) ?? (plain === '\u2212' ? '-' : plain === '^' ? '\\hat{}' : plain);
}

const DELIMITERS = commands('{{ }} ⟨langle ⟩rangle 〈langle 〉rangle ‖| ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil');

export const delimiter = (character: string): string => {
  const command = DELIMITERS.get(character);
  if (command !== undefined) return /[a-z]$/.test(command) ? `${command} ` : command;
  return /^[()[\]|/]$/.test(character) ? character : '.';
};

/** `sin`, `lim_{x}` and the like with a backslash; undefined for other names. */
export function functionTex(name: string): string | undefined {
  const [word] = /^[A-Za-z]+/.exec(name) ?? [];
  return word !== undefined && FUNCTIONS.has(word) ? `\\${name}` : undefined;
}

export const isAccent = (character: string): boolean => ACCENTS.has(character);

export function accentTex(accent: string, tex: string): string {
  const command = ACCENTS.get(accent) ?? '\\hat';
  const isSingle = group(tex) === tex;
  return `${isSingle ? command : (WIDE_ACCENTS[command] ?? command)}{${tex}}`;
}

export const isLarge = (sign: string): boolean => LARGE.has(sign);

export const isStretched = (sign: string): boolean => STRETCHED.has(sign);

/** A brace or a line along the whole of it; a line below is one above if it stands there. */
export function stretchedTex(sign: string, tex: string, side: 'above' | 'below'): string {
  const command = STRETCHED.get(sign)!;
  return `${side === 'above' ? command.replace('underline', 'overline') : command}{${tex}}`;
}
