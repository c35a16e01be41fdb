import { readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Options } from 'tsup'

// Every file directly in src is an entry of the package; tsc writes the declarations.
const entry = Object.fromEntries(
  readdirSync('src')
    .filter(file => file.endsWith('.ts'))
    .map(file => [basename(file, '.ts'), `src/${file}`]),
)

// Nobody steps through the engine's text, the workers' or the type stripper, and their maps would carry them a second time.
async function dropForeignMaps(): Promise<void> {
  for (const file of readdirSync('dist').filter(name =>
    /^(engine-binary|polyfills|worker-script|sucrase-stripper)-.*\.js$/.test(name),
  )) {
    const code = await readFile(`dist/${file}`, 'utf8')
    await writeFile(`dist/${file}`, code.replace(/\/\/# sourceMappingURL=.*\n?$/, ''))
    await rm(`dist/${file}.map`)
  }
}

const options: Options = {
  entry,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  onSuccess: dropForeignMaps,
  outExtension: () => ({ js: '.js' }),
}

export default options
