// What the build makes of the contracts; see scripts/console/contracts-plugin.ts.
type RouteTable = Readonly<Record<import('../../src/contracts/routes.ts').OperationId, string>>;
type RequestSchema = import('./playground/form/json-schema.ts').JsonSchema;

declare module 'contracts:routes' {
  /** Method and path of every call, such as `GET /v2/crawl/:id`. */
  const routes: RouteTable;
  export default routes;
}

declare module 'contracts:schema/*' {
  const schema: RequestSchema;
  export default schema;
}

declare module 'contracts:command/*' {
  const command: import('./playground/snippets/cli.ts').CliCommand;
  export default command;
}

declare module 'contracts:tool/*' {
  const tool: import('./playground/snippets/mcp.ts').McpTool;
  export default tool;
}

declare module 'contracts:programs' {
  const programs: readonly import('./playground/programs/programs.tsx').Program[];
  export default programs;
}

declare module '*.css';
