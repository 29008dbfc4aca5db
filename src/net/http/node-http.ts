// Node's own `http`. An `import` of it would also load its WebSocket classes, which takes 35 ms and 12 MB.
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
