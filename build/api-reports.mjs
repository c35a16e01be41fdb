// Checks the public API of every entry against its report in docs/api; `--update` writes the reports anew.
// Reads the declarations in dist/types. One configuration per entry, each the base with its own two names.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'

const root = fileURLToPath(new URL('../', import.meta.url))
const basePath = join(root, 'api-extractor.json')
const reports = join(root, 'docs/api')
const update = process.argv.includes('--update')
const entries = readdirSync(join(root, 'src'))
  .filter(file => file.endsWith('.ts'))
  .map(file => basename(file, '.ts'))

// What the main entry exports need not be exported by the others again.
const mainNames = new Set(readFileSync(join(root, 'dist/types/index.d.ts'), 'utf8').match(/\w+/g))

const forgotten = /^The symbol "(\w+)" needs to be exported/

// Every exported name has a sentence. A member may speak by its name and type alone; it is indented.
const isMember = ({ messageId, sourceFileColumn }) => messageId === 'ae-undocumented' && sourceFileColumn > 1

const isKnown = (entry, { messageId, text }) =>
  messageId === 'ae-forgotten-export' && entry !== 'index' && mainNames.has(forgotten.exec(text)?.[1])

function configOf(entry) {
  const configObject = ExtractorConfig.loadFile(basePath)
  configObject.mainEntryPointFilePath = join(root, `dist/types/${entry}.d.ts`)
  configObject.apiReport.reportFileName = entry
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: basePath,
    packageJsonFullPath: join(root, 'package.json'),
  })
}

function check(entry) {
  const problems = []
  const result = Extractor.invoke(configOf(entry), {
    localBuild: update,
    typescriptCompilerFolder: join(root, 'node_modules/typescript'),
    messageCallback(message) {
      message.handled = true
      if (message.logLevel !== 'error' && message.logLevel !== 'warning') return
      if (message.messageId.startsWith('console-') || isMember(message) || isKnown(entry, message)) return
      problems.push(message.formatMessageWithLocation(root))
    },
  })
  if (!update && result.apiReportChanged)
    problems.push(`docs/api/${entry}.api.md is out of date: npm run api:update`)
  return problems
}

let failed = 0
for (const entry of entries) {
  const problems = check(entry)
  failed += problems.length
  console.log(`${problems.length === 0 ? 'ok     ' : 'FAILED '} ${entry}`)
  for (const problem of problems) console.log(`        ${problem}`)
}
for (const file of readdirSync(reports).filter(name => name.endsWith('.api.md'))) {
  if (existsSync(join(root, 'src', file.replace('.api.md', '.ts')))) continue
  if (update) rmSync(join(reports, file))
  else {
    failed += 1
    console.log(`FAILED  docs/api/${file} belongs to no entry: npm run api:update`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
