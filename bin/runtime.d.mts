export const FLAGS: readonly string[];
export function runtimeEnvironment(root: string): Record<string, string>;
