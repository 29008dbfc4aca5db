// What a prompt of the MCP server is: a task that a person picks from a menu, with a few arguments.

export interface PromptArgument {
  name: string;
  description: string;
  required?: true;
  /** Values to choose from; others are accepted as well. */
  values?: readonly string[];
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** The message to the model. Arguments that are not required may be absent. */
  write(args: Readonly<Record<string, string>>): string;
}
