// Port: a language model that the operator has chosen. One adapter speaks to all providers.

/** What a call is for. The operator may set another model for each. */
export type ModelPurpose = 'extract' | 'answer' | 'clean' | 'agent' | 'judge';

export interface ModelCall {
  /** What to do. Never contains text of a page. */
  instructions: string;
  /** Text of a page or of a caller, which is content and never an instruction. */
  material: string;
  /** The most tokens that the answer may have. */
  maxOutputTokens?: number;
  signal: AbortSignal;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** The server did not count: both are estimates. */
  isEstimated?: true;
}

export interface ModelAnswer<T> {
  value: T;
  usage: ModelUsage;
}

/** A model for one purpose and one team. Every method throws ServiceError if the answer is cut, empty or refused. */
export interface LanguageModel {
  /** As in the settings: `ollama:qwen3:8b`. */
  readonly name: string;
  /** How many tokens of text fit into one call. */
  readonly contextTokens: number;
  text(call: ModelCall): Promise<ModelAnswer<string>>;
  /** An object that fits the schema, as far as the server can guarantee it. The caller validates it. */
  object(call: ModelCall & { schema: object }): Promise<ModelAnswer<unknown>>;
}

/** Who asks, and under which conditions. */
export interface ModelAsker {
  team: string;
  /** Zero data retention or lockdown: no text may leave this machine, and nothing is cached. */
  isPrivate: boolean;
}

export interface Models {
  /** The model for this purpose, or why there is none, as a sentence for the caller. */
  choose(purpose: ModelPurpose, asker: ModelAsker): { model: LanguageModel } | { without: string };
}
