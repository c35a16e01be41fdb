// The main entry needs Cloudflare's runtime. That for browsers prints the same declarations, into the description of its
// tool; the executor is never asked to run anything.
import { createBrowserCodeTool } from '@cloudflare/codemode/browser'

const executor = { execute: async () => ({ result: undefined }) }

/** The declarations of `{ name, description, parameters }` tools. */
export const declare = tools =>
  createBrowserCodeTool({
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    executor,
    description: '{{types}}',
  }).description
