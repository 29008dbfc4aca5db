export const coverageTable = (folder: string): string[] => [folder];
