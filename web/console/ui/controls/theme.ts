// Light or dark: as the system says, until the reader chooses.
import { effect, signal } from '@preact/signals';
import { keep, readKept, THEME } from './kept.ts';

type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');

const isSystemDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});
const chosen = signal<Theme | undefined>(readChoice());

export const isDark = (): boolean => (chosen.value === undefined ? isSystemDark.value : chosen.value === 'dark');

export function switchTheme(): void {
  chosen.value = isDark() ? 'light' : 'dark';
  keep(THEME, chosen.value);
}

effect(() => {
  if (chosen.value) document.documentElement.dataset.theme = chosen.value;
});

/** The value of a colour variable as charts need it. Components that use it read `isDark()`, too, to be drawn again. */
export function colorOf(variable: `--${string}`): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function readChoice(): Theme | undefined {
  const stored = readKept(THEME);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}
