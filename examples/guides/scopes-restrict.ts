import { createToolRegistry, defineTool } from 'toolgate'

const tool = (name: string) =>
  defineTool({ name, description: `Runs ${name}.`, parameters: {}, execute: () => `${name} ran` })

const registry = createToolRegistry({
  tools: [tool('read_file'), tool('write_file'), tool('bash')],
  scopes: [
    { id: 'planner', tools: [tool('make_plan')], restrict: { deny: ['bash'] } },
    { id: 'searcher', parent: 'planner', restrict: { allow: ['read_file'] } },
  ],
})

for (const id of ['root', 'planner', 'searcher']) {
  const names = registry
    .scope(id)
    .visible()
    .map(tool => tool.name)
  console.log(`${id}: ${names.join(', ')}`)
}

const searcher = registry.scope('searcher')
const result = await searcher.execute({ callId: '1', name: 'bash' })
console.log(result.isError ? result.error.code : result.value)
console.log(searcher.explain('bash').text)
