export const FLAGS: readonly string[];
export function entryOf(root: string): string;
export function runtimeEnvironment(root: string): Record<string, string>;
