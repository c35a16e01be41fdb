// `npm run bench [-- section ...]` from the project's root: builds the package, installs the peers where they are missing,
// runs every section in a process of its own, prints the tables and writes them to results/latest.md.
import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sectionMarkdown } from './table.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)
const SECTIONS = [
  'pipeline',
  'bare',
  'many-tools',
  'scope-chain',
  'scheduler',
  'code-mode',
  'validation',
  'declarations',
  'cold-start',
  'size',
  'tokens',
  'types',
]

// Programs by themselves, which are run only when they are named and take arguments of their own.
const APART = {
  fuzz: ['fuzz.mjs'],
  reading: ['--import', 'tsx', 'reading.mjs'],
  hostile: ['--import', 'tsx', 'hostile.mjs'],
}

const args = process.argv.slice(2)
const [apart, ...apartArgs] = args.filter(arg => arg !== '--no-build')
if (Object.hasOwn(APART, apart)) {
  if (!args.includes('--no-build')) npm(root, 'run', 'build')
  const [...flags] = APART[apart]
  const file = join(here, flags.pop())
  const { status } = spawnSync(process.execPath, [...flags, file, ...apartArgs], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
const chosen = args.filter(arg => !arg.startsWith('--'))
const unknown = chosen.find(name => !SECTIONS.includes(name))
if (unknown) throw new Error(`There is no section "${unknown}"; there are ${SECTIONS.join(', ')}`)

function npm(cwd, ...command) {
  const { status } = spawnSync('npm', command, {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: platform() === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${command.join(' ')} failed`)
}

/** A section's report, or one that says why there is none. */
function runSection(name) {
  return new Promise(resolve => {
    const child = fork(join(here, 'runner.mjs'), [name], {
      cwd: here,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    let report
    child.on('message', message => {
      report = message
    })
    child.on('exit', code => {
      const failure = `the section ended with exit code ${code}`
      report ??= { title: name, text: `Not measured: ${failure}.`, failure, cases: [] }
      resolve(report)
    })
  })
}

if (!args.includes('--no-build')) npm(root, 'run', 'build')
if (!existsSync(join(here, 'node_modules'))) npm(here, 'ci', '--ignore-scripts', '--no-audit', '--no-fund')

const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
const parts = [
  '# Toolgate side by side with its peers',
  '',
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}).`,
  `Peers: ${versions.join(', ')}.`,
  '',
  'Contestants take turns after a warm-up. A sample is the mean of the calls that fit into 0.25 ms, or one call that takes',
  'longer; short, so that few of them are interrupted. Times vary with the machine and its load: compare the ratios.',
  '',
]
console.log(parts.join('\n'))
for (const name of chosen.length > 0 ? chosen : SECTIONS) {
  const report = await runSection(name)
  const markdown = sectionMarkdown(report)
  console.log(markdown)
  if (report.failure !== undefined) {
    console.error(`${name}: ${report.failure}`)
    process.exitCode = 1
  }
  parts.push(markdown)
}
mkdirSync(join(here, 'results'), { recursive: true })
writeFileSync(join(here, 'results/latest.md'), `${parts.join('\n').trimEnd()}\n`)
