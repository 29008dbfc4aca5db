// What is said about the changes of a page: whether they matter, and why.

export interface MeaningfulChange {
  type: 'added' | 'removed' | 'changed';
  before: string | null;
  after: string | null;
  reason: string;
}

export interface Judgment {
  meaningful: boolean;
  confidence: 'high' | 'medium' | 'low';
  reason: string;
  meaningfulChanges: MeaningfulChange[];
}

export interface ChangeExplanation {
  isNoise: boolean;
  reason: string;
  /** How sure the rule is. */
  confidence: 'high' | 'medium' | 'low';
}

export interface ReadTimes {
  before: number;
  after: number;
}

/** A change as a rule has explained it, with both versions of it as text. */
export interface ExplainedChange extends ChangeExplanation {
  before?: string;
  after?: string;
}
