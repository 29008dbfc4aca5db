// Maps mathematical characters to TeX, for OMML and MathML.

/** Parses pairs of a character and its command. */
const commands = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((pair) => [[...pair][0]!, `\\${[...pair].slice(1).join('')}`]));

const ACCENTS = commands(
  '\u0302hat \u0303tilde \u0304bar \u0305overline \u0307dot \u0308ddot \u20d7vec ^hat ~tilde ˆhat ˜tilde ¯bar →vec ⃗vec ˙dot ¨ddot',
);
const SYMBOLS = commands(
  '∞infty ≤le ≥ge ≠ne ≈approx ≡equiv ±pm ∓mp ×times ÷div ⋅cdot ·cdot →to ←leftarrow ⇒Rightarrow ⇔Leftrightarrow ↔leftrightarrow ' +
    '∈in ∉notin ⊂subset ⊆subseteq ∪cup ∩cap ∅emptyset ∧wedge ∨vee ¬neg ∀forall ∃exists ∂partial ∇nabla …dots ⋯cdots ∫int ∑sum ∏prod ∐coprod ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap ⋁bigvee ⋀bigwedge √surd ' +
    'αalpha βbeta γgamma δdelta εvarepsilon ϵepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma τtau ' +
    'υupsilon φvarphi ϕphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega ' +
    'ℝmathbb{R} ℕmathbb{N} ℤmathbb{Z} ℚmathbb{Q} ℂmathbb{C} ~sim \\backslash %% ## && $$ __ {{ }} \u2009, \u2003quad',
);
const FUNCTIONS = new Set(
  'sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup inf det dim gcd'.split(' '),
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

export const symbolsToTex = (text: string): string => joinTex([...text].map(symbolToTex));

function symbolToTex(character: string): string {
  // Word uses the mathematical alphanumeric code points for italic, bold and script letters.
  const plain = SYMBOLS.has(character) ? character : character.normalize('NFKC');
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
  const [word] = /^[a-z]+/.exec(name) ?? [];
  return word !== undefined && FUNCTIONS.has(word) ? `\\${name}` : undefined;
}

export const isAccent = (character: string): boolean => ACCENTS.has(character);

export const accentTex = (accent: string, tex: string): string => `${ACCENTS.get(accent) ?? '\\hat'}{${tex}}`;
