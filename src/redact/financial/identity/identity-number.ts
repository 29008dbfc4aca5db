// The type of the entries in the tables of national identity and tax numbers.

export interface IdentityNumber {
  /** Country code and name, such as `us-ssn`. */
  rule: string;
  /** Without borders; those are added. Bounded, so that it stays linear. */
  pattern: RegExp;
  /** Gets the match without blanks, dots, hyphens and slashes, in upper case. */
  isValid: (value: string) => boolean;
  /** Words that name the number, in the languages of the country. */
  label: RegExp;
  /** Score without a label: how unlikely it is that other numbers have this form and pass the check. */
  alone: number;
}
