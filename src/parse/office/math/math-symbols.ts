// Signs of formulas as TeX, for all the ways in which office files write formulas.

/** Signs and the commands that stand for them, one after the other. */
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

/** A command must not run into the letters after it. */
export function together(parts: readonly string[]): string {
  let tex = '';
  let before = '';
  for (const part of parts) {
    tex += /\\[A-Za-z]+$/.test(before) && /^[A-Za-z]/.test(part) ? ` ${part}` : part;
    if (part !== '') before = part;
  }
  return tex;
}

/** One sign needs no braces. */
export const base = (tex: string): string => (/^(?:[^\\]|\\[A-Za-z]+)?$/u.test(tex) ? tex : `{${tex}}`);

export const symbols = (text: string): string => together([...text].map(symbol));

function symbol(sign: string): string {
  // Italic, bold and script letters are letters of their own in Word.
  const plain = SYMBOLS.has(sign) ? sign : sign.normalize('NFKC');
  return SYMBOLS.get(plain) ?? (plain === '\u2212' ? '-' : plain === '^' ? '\\hat{}' : plain);
}

const DELIMITERS = commands('{{ }} ⟨langle ⟩rangle 〈langle 〉rangle ‖| ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil');

export const delimiter = (sign: string): string => {
  const command = DELIMITERS.get(sign);
  if (command !== undefined) return /[a-z]$/.test(command) ? `${command} ` : command;
  return /^[()[\]|/]$/.test(sign) ? sign : '.';
};

/** "sin", "lim_{x}" and the like with a backslash; undefined for other names. */
export function functionTex(name: string): string | undefined {
  const [word] = /^[a-z]+/.exec(name) ?? [];
  return word !== undefined && FUNCTIONS.has(word) ? `\\${name}` : undefined;
}

export const isAccent = (sign: string): boolean => ACCENTS.has(sign);

/** Something with a sign above it. */
export const accentTex = (sign: string, tex: string): string => `${ACCENTS.get(sign) ?? '\\hat'}{${tex}}`;
