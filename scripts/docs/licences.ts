// Which licences the packages of others may have.

/** SPDX names of permissive licences, and MPL-2.0, which covers only its own files. */
export const ALLOWED_LICENCES: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'MPL-2.0'],
  ...['PSF-2.0', 'Unlicense'],
];

/** Of several alternatives, one has to be allowed; of licences that apply together, all. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((name) => ALLOWED_LICENCES.includes(name.trim())));
