import type { Options } from 'tsup'

// The command is a program that uses the package as anybody would; all else that it needs is inside it.
const options: Options = {
  entry: { cli: 'src/cli/main.ts' },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: false,
  sourcemap: false,
  clean: false,
  dts: false,
  external: [/^toolgate(\/|$)/],
  noExternal: [/^(?!toolgate(\/|$)|node:)/],
  banner: {
    js: "import { createRequire as createRequireOfNode } from 'node:module'; const require = createRequireOfNode(import.meta.url);",
  },
  outExtension: () => ({ js: '.js' }),
}

export default options
