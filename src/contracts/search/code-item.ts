// What GitHub has about a question, as the parts of the service exchange it, and what it can be asked for.

/** `skill` is a SKILL.md file, `repository` one repository itself. */
export type CodeKind = 'issue' | 'pull_request' | 'readme' | 'skill' | 'repository';

export interface CodeLicense {
  state: 'licensed' | 'known_absent' | 'unknown';
  spdx_id: string | null;
}

export interface CodeItem {
  kind: CodeKind;
  /** `owner/name` */
  repo: string;
  /** Number of an issue or a pull request. */
  number?: number;
  /** Path of a file. */
  path?: string;
  /** Markdown: what the issue, the pull request or the file says. */
  body: string;
  license?: CodeLicense;
  hasIssues?: boolean;
}

export interface CodeFilter {
  kind: CodeKind;
  /** `owner/name`; empty: all. */
  repos: readonly string[];
  language?: string;
  topics: readonly string[];
  license?: string;
  minStars?: number;
  maxStars?: number;
  archived?: boolean;
  fork?: boolean;
}
