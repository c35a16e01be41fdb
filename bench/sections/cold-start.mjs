import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { missing, summary } from '../measure.mjs'

const ROUNDS = 15
const entry = fileURLToPath(new URL('../cold-start-entry.mjs', import.meta.url))

const CASES = [
  ['native call', ['toolgate', 'ai', '@deepseek-ai/dsh-tools', '@modelcontextprotocol/sdk']],
  ['Code Mode, one call of a tool', ['toolgate', 'run', '@executor-js/runtime-quickjs']],
]

/** Milliseconds from import to the first result in a fresh process, and the process's whole life as seen from here. */
function start(kind, contestant) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, [entry, kind, contestant], { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', data => {
      out += data
    })
    child.stderr.on('data', data => {
      err += data
    })
    child.on('error', reject)
    child.on('exit', code => {
      const whole = performance.now() - began
      const reported = Number(out.trim().split('\n').at(-1))
      if (code !== 0 || !(reported > 0)) reject(new Error(err.trim() || `exit code ${code}`))
      else resolve({ reported, whole })
    })
  })
}

export default async function coldStart() {
  const cases = []
  for (const [kind, contestants] of CASES) {
    const samples = new Map(contestants.map(name => [name, { reported: [], whole: [] }]))
    const failures = new Map()
    for (let round = 0; round <= ROUNDS; round++)
      for (const name of contestants) {
        if (failures.has(name)) continue
        try {
          const { reported, whole } = await start(kind, name)
          // The first round reads the files into the system's cache.
          if (round === 0) continue
          samples.get(name).reported.push(reported)
          samples.get(name).whole.push(whole)
        } catch (error) {
          failures.set(name, missing(name, error))
        }
      }
    for (const [what, key] of [
      ['import to first result', 'reported'],
      ['whole process', 'whole'],
    ])
      cases.push({
        name: `${kind}: ${what}`,
        lines: contestants.map(name => failures.get(name) ?? summary(name, samples.get(name)[key])),
      })
  }
  return {
    title: 'Cold start',
    text: `${ROUNDS} fresh processes for each contestant, in turns, the files in the system's cache.`,
    cases,
  }
}
