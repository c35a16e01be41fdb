import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig } from 'tsup'

// Every file directly in src is an entry of the package; tsc writes the declarations.
const entry = Object.fromEntries(
  readdirSync('src')
    .filter(file => file.endsWith('.ts'))
    .map(file => [basename(file, '.ts'), `src/${file}`]),
)

export default defineConfig({
  entry,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  treeshake: true,
  sourcemap: true,
  // The engine is written there before.
  clean: ['!quickjs.wasm'],
  dts: false,
  outExtension: () => ({ js: '.js' }),
})
