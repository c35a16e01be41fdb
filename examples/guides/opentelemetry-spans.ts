import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createToolRegistry, defineTool } from 'toolgate'
import { otelStages } from 'toolgate/otel'
import { quickJsRuntime } from 'toolgate/quickjs'

// An application sets these up once, with an exporter to wherever its traces go.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const exporter = new InMemorySpanExporter()
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

const stock = defineTool({
  name: 'stock',
  description: 'Tells how many pieces of an article there are.',
  parameters: { article: { type: 'string', required: true } },
  execute: ({ article }) => `4 pieces of ${article}`,
})
const order = defineTool({
  name: 'order',
  description: 'Orders an article.',
  parameters: { article: { type: 'string', required: true } },
  execute: () => {
    throw new Error('the supplier does not answer')
  },
})

const registry = createToolRegistry({
  tools: [stock, order],
  stages: [
    otelStages({ tracerProvider, recordArguments: true }),
    { preExecute: (call, next) => (call.name === 'order' ? { kind: 'ask' } : next()) },
  ],
  approve: async ({ toolName }) => (toolName === 'order' ? 'allowed-once' : 'rejected'),
  mode: 'code',
  codeRuntime: quickJsRuntime(),
})
const code = `
  console.log(await tools.stock({ article: 'nails' }))
  await tools.order({ article: 'nails' })
`
const program = { code, description: 'Order nails if there are few' }
await registry.execute({ callId: '1', name: 'run_code', arguments: program })

const spans = exporter.getFinishedSpans()
const show = (parent: string | undefined, indent: string): void => {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
    const { 'error.type': failed, 'toolgate.approval.outcome': outcome } = span.attributes
    console.log(`${indent}${span.name}${failed ? `: ${failed}` : ''}${outcome ? `: ${outcome}` : ''}`)
    show(span.spanContext().spanId, `${indent}  `)
  }
}
show(undefined, '')
