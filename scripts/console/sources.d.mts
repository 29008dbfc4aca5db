export const CONSOLE: string;
export const BUILT: string;
export const STAMP: string;
export function isConsoleBuilt(): boolean;
export function sourcesHash(): string;
export const PROGRAMS: string;
