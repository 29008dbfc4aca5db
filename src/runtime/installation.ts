// How this program was installed: as a checkout of the project, or as an npm package, which holds compiled files.

export const isPackage = !import.meta.filename.endsWith('.ts');
