import { z } from 'zod'
import * as ai from '../contestants/ai.mjs'
import * as dsh from '../contestants/dsh-tools.mjs'
import * as mcp from '../contestants/mcp-sdk.mjs'
import {
  ARGS_TEXT,
  caller,
  createToolRegistry,
  jsonSchemaParameters,
  noop,
  zodParameters,
} from '../contestants/toolgate.mjs'
import { raceAll } from '../measure.mjs'

const toolgate = (schema, args) => async () => ({
  run: caller(createToolRegistry({ tools: [noop('noop', schema)] }), 'noop', args),
})

async function mcpSdk() {
  const server = mcp.createServer()
  mcp.registerNoop(server, 'noop')
  return { run: mcp.caller(await mcp.connect(server), 'noop'), note: 'client and server in memory' }
}

export default async function bare() {
  const parsed = await raceAll([
    ['toolgate', toolgate()],
    ['toolgate, zod schema', toolgate(z.object(zodParameters))],
    ['toolgate, raw JSON Schema', toolgate(jsonSchemaParameters)],
    [
      'ai',
      async () => ({
        run: ai.caller({ noop: ai.noop() }, 'noop'),
        note: '`safeValidateTypes` and `executeTool` of `@ai-sdk/provider-utils`, zod schema',
      }),
    ],
    [
      '@deepseek-ai/dsh-tools',
      async () => ({ run: dsh.caller(await dsh.createRuntime([dsh.noop('noop')]), 'noop') }),
    ],
    ['@modelcontextprotocol/sdk', mcpSdk],
  ])
  const text = await raceAll([
    ['toolgate', toolgate(undefined, ARGS_TEXT)],
    [
      'ai',
      async () => ({
        run: ai.textCaller({ noop: ai.noop() }, 'noop'),
        note: '`safeParseJSON` and `executeTool`, zod schema',
      }),
    ],
  ])
  return {
    title: 'Bare call',
    text: 'No stages: find the tool, validate two arguments, run a body that does nothing. Toolgate also copies and freezes arguments and result, which `ai` does not.',
    cases: [
      { name: 'parsed arguments', lines: parsed },
      { name: 'arguments as JSON text', lines: text },
    ],
  }
}
