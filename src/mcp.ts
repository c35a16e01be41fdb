export type { McpReconnectOptions } from './adapters/mcp/connection.js'
export type { McpListLimits } from './adapters/mcp/list-tools.js'
export {
  MCP_ERROR_CODES,
  type McpClient,
  type McpConnector,
  type McpErrorCode,
} from './adapters/mcp/mcp-client.js'
export type { McpServer, McpTransport } from './adapters/mcp/mcp-server.js'
export { type McpTools, mcpTools } from './adapters/mcp/mcp-tools.js'
export type { McpChange, McpToolsOptions } from './adapters/mcp/mcp-tools-options.js'
export type { McpProblem } from './adapters/mcp/read-listing.js'
export { type McpServing, serveMcp } from './adapters/mcp/serve-mcp.js'
export type { ServeMcpOptions } from './adapters/mcp/serve-options.js'
export type { DeclarationsPlace } from './adapters/mcp/served-tools.js'
