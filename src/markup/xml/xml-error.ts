// Why XML could not be read. Each stage turns this into its own error for the caller.

export type XmlProblem = 'malformed' | 'too-deep' | 'too-many-nodes';

export class XmlError extends Error {
  readonly problem: XmlProblem;

  constructor(problem: XmlProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
